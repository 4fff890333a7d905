import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { openText, sealText } from '../../../kernel/sealed-text.ts';
import type { Things } from './planned-things.ts';

/** What a plan promises: this revision, made of these things, for this moment, by this credential. */
export interface Plan {
  /** The salt of the digests. */
  readonly salt: string;
  readonly revision: number;
  readonly plannedAt: Date;
  readonly sendAt: Date;
  readonly plannedBy: { readonly kind: string; readonly id: string };
  readonly things: Things;
  /** How many were in the audience. */
  readonly recipients: number;
}

/** Words common to all tokens, which compression leaves out: an assistant must copy a token letter by letter. */
const dictionary = Buffer.from(
  '/message_body/preview_text/segment_id/segment/filters/webinar_id/webinar_audience/webinar_offset_minutes' +
    '/webinar_anchor/webinar/start_time/webinar/duration_minutes/webinar/title/webinar/join_url/webinar/timezone' +
    'everyonesegmentwebinarregisteredstart characters","/html":["","/subject":["","/timezone":["","UTC"]' +
    '"/channel":["","email"],"/sender_id":["","/sender/from":["","/sender/reply_to":["","/variables":["","var_' +
    '"/audience":["","everyone"],"/layout":["","api_key","019',
);

const Payload = z.tuple([
  z.string(),
  z.int(),
  z.int(),
  z.int(),
  z.string(),
  z.string(),
  z.record(z.string(), z.tuple([z.string(), z.string()])),
  z.int(),
]);

/** The row a plan is made for. A broadcast deleted and created again under the same id is another row. */
interface Planned {
  readonly id: string;
  readonly created_at: Date;
}

/**
 * The plan itself, sealed: planning stores nothing. The token opens only for its own broadcast and organization, and
 * cannot be made or changed without the key.
 */
export function toToken(work: Work, broadcast: Planned, plan: Plan): string {
  const payload: z.infer<typeof Payload> = [
    plan.salt,
    plan.revision,
    plan.plannedAt.getTime(),
    plan.sendAt.getTime(),
    plan.plannedBy.kind,
    plan.plannedBy.id,
    Object.fromEntries(
      Object.entries(plan.things).map(([pointer, [digest, shown]]) => [pointer, [digest, shown]]),
    ),
    plan.recipients,
  ];
  const packed = deflateRawSync(JSON.stringify(payload), { dictionary });
  return sealText(work.keys.tokens, packed, placeOf(work, broadcast));
}

export function fromToken(work: Work, broadcast: Planned, token: string): Plan | undefined {
  const packed = openText(work.keys.tokens, token, placeOf(work, broadcast));
  const payload = packed === undefined ? undefined : unpack(packed);
  if (payload === undefined) return undefined;
  const [salt, revision, plannedAt, sendAt, kind, id, things, recipients] = payload;
  return {
    salt,
    revision,
    plannedAt: new Date(plannedAt),
    sendAt: new Date(sendAt),
    plannedBy: { kind, id },
    things,
    recipients,
  };
}

/** Undefined if another version of the service packed it: the plan must be made again. */
function unpack(packed: Buffer): z.infer<typeof Payload> | undefined {
  try {
    return Payload.parse(JSON.parse(inflateRawSync(packed, { dictionary }).toString('utf8')));
  } catch {
    return undefined;
  }
}

const placeOf = (work: Work, { id, created_at }: Planned): string =>
  `plan ${work.org} ${id} ${created_at.getTime()}`;
