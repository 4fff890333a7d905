import { Failure } from '../../../kernel/failure.ts';
import { digestOf, type Digests } from './fingerprint.ts';
import type { ImportRow } from '../record/import.ts';
import type { Promised } from './commit-token.ts';

const details = {
  rows: 'Rows were appended or discarded.',
  mapping: 'Another mapping was saved.',
  people: 'People whom the rows mean were created, changed, merged or deleted.',
  property_values: 'Values of mapped properties changed.',
  opt_outs: 'People whom the rows mean opted out or back in.',
  property_configs: 'A mapped property was deleted, or one to be created is there already or has no room.',
};
type Drifting = keyof typeof details;

/** Refuses a draft that changed. A mapping that was changed and changed back has discarded the rows meanwhile. */
export function refuseOtherDraft({ revision, lastRow, mapping }: Promised, row: ImportRow): void {
  if (row.revision === revision) return;
  const drifted: Drifting[] = [];
  if (digestOf(row.mapping) !== mapping) drifted.push('mapping');
  if (row.last_row !== lastRow || drifted.length === 0) drifted.push('rows');
  refuse(drifted);
}

/** Refuses if the data that the draft meets changed. */
export function refuseOtherWorld(before: Digests, now: Digests): void {
  const all = ['people', 'property_values', 'opt_outs', 'property_configs'] as const;
  refuse(all.filter((one) => before[one] !== now[one]));
}

function refuse(drifted: readonly Drifting[]): void {
  if (drifted.length === 0) return;
  throw new Failure(
    'import_changed',
    `Since the preview something changed (${drifted.join(', ')}). Nothing was committed. Preview again.`,
    { errors: drifted.map((one) => ({ pointer: `/${one}`, code: 'changed', detail: details[one] })) },
  );
}
