import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { openText, sealText } from '../../../kernel/sealed-text.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';

export const resendAgeMs = 3_600_000;

const Payload = z.tuple([z.int(), z.int(), z.boolean()]);

/** The revision it was planned at, sealed. Sending again makes another revision, so a token sends once. */
export const toResendToken = (work: Work, row: StoredBroadcast, includeFailed: boolean): string =>
  sealText(
    work.keys.tokens,
    JSON.stringify([row.revision, work.now.getTime(), includeFailed] satisfies z.infer<typeof Payload>),
    placeOf(work, row),
  );

/** Whether failed ones were planned, too; refused unless the plan still holds. */
export function openResendToken(work: Work, row: StoredBroadcast, token: string): boolean {
  const opened = openText(work.keys.tokens, token, placeOf(work, row))?.toString('utf8');
  const payload = opened === undefined ? undefined : Payload.parse(JSON.parse(opened));
  if (payload === undefined) {
    throw new Failure(
      'plan_stale',
      'This is not the token of a plan to send this broadcast again. Plan it, and use that token.',
    );
  }
  const [revision, plannedAt, includeFailed] = payload;
  if (revision !== row.revision) {
    throw new Failure(
      'plan_stale',
      'It was sent again since this plan was made, and a plan sends once. Plan again to see who is still uncertain.',
    );
  }
  if (work.now.getTime() - plannedAt > resendAgeMs) {
    throw new Failure(
      'plan_expired',
      `The plan was made at ${new Date(plannedAt).toISOString()}, over an hour ago. Plan again.`,
    );
  }
  return includeFailed;
}

const placeOf = ({ org }: Work, { id, created_at }: StoredBroadcast): string =>
  `resend ${org} ${id} ${created_at.getTime()}`;
