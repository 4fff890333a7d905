import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { openText, sealText } from '../../../kernel/sealed-text.ts';
import { ImportId } from '../../../kernel/ids.ts';
import { digestOf, type Digests } from './fingerprint.ts';
import { MergePolicy, type ImportRow } from '../record/import.ts';

/** What a preview promises: these rows under this mapping and policy, with people as they were. */
export interface Promised {
  readonly import_id: ImportId;
  readonly previewedAt: Date;
  readonly revision: number;
  readonly lastRow: number;
  readonly mapping: string;
  readonly merges: MergePolicy;
  readonly digests: Digests;
}

export const tokenAgeMs = 3_600_000;

const Payload = z.tuple([
  ImportId,
  z.int(),
  z.int(),
  z.int(),
  MergePolicy,
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
]);

export const promise = (row: ImportRow, merges: MergePolicy, digests: Digests, now: Date): Promised => ({
  import_id: row.id as ImportId,
  previewedAt: now,
  revision: row.revision,
  lastRow: row.last_row,
  mapping: digestOf(row.mapping),
  merges,
  digests,
});

/** Seals the promise into the token, because previewing writes nothing. Only this organization's calls can open it. */
export function toToken(work: Work, promised: Promised): string {
  const { import_id, previewedAt, revision, lastRow, mapping, merges, digests } = promised;
  const payload: z.infer<typeof Payload> = [
    import_id,
    previewedAt.getTime(),
    revision,
    lastRow,
    merges,
    mapping,
    digests.people,
    digests.property_values,
    digests.opt_outs,
    digests.property_configs,
  ];
  return sealText(work.keys.tokens, JSON.stringify(payload), placeOf(work));
}

export function fromToken(work: Work, token: string): Promised | undefined {
  const opened = openText(work.keys.tokens, token, placeOf(work));
  const parsed = opened === undefined ? undefined : unpack(opened);
  if (parsed === undefined) return undefined;
  const [import_id, previewedAt, revision, lastRow, merges, mapping, ...digests] = parsed;
  const [people, property_values, opt_outs, property_configs] = digests;
  return {
    import_id,
    previewedAt: new Date(previewedAt),
    revision,
    lastRow,
    mapping,
    merges,
    digests: { people, property_values, opt_outs, property_configs },
  };
}

/** Undefined if another version of the service made the token: the caller must preview again. */
function unpack(opened: Buffer): z.infer<typeof Payload> | undefined {
  try {
    return Payload.parse(JSON.parse(opened.toString('utf8')));
  } catch {
    return undefined;
  }
}

const placeOf = ({ org }: Work): string => `import ${org}`;
