import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { MomentOut, nowOutput } from '../../../kernel/moment.ts';
import { suppressedAmong } from '../../identifiers/suppressed-address.ts';
import { requireBroadcast, type StoredBroadcast } from '../draft/broadcast-rows.ts';
import { blockingContent, PlanCheck } from '../plan/plan-checks.ts';
import { readPlanInputs, type PlanInputs } from '../plan/plan-inputs.ts';
import { judge, reasonAgainst } from './check-window.ts';
import { readResendable, refuseUnlessFinished, type Resendable } from './resendable.ts';
import { resendAgeMs, toResendToken } from './resend-token.ts';

const chunk = 1_000;

export const planResendUncertain = defineOperation({
  name: 'plan_resend_uncertain',
  title: 'Plan to send again to the uncertain',
  summary:
    'A dry run that writes nothing: who of a finished broadcast is still uncertain, or failed if asked for, and who of ' +
    'them may be written to now. Whoever is uncertain may have the message already and would get it twice. With the ' +
    'token, good for one hour and once, resend_uncertain sends.',
  permission: 'broadcasts.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/plan-resend'] },
  input: z.strictObject({
    broadcast_id: BroadcastId,
    include_failed: z
      .boolean()
      .default(false)
      .describe('Also whom the other side put off for too long or refused, though not for their address.'),
  }),
  output: z.object({
    broadcast_id: BroadcastId,
    uncertain: z.int().describe('How many are uncertain.'),
    failed: z.int().describe('How many failed and would be tried again; 0 unless asked for.'),
    again: z.int().describe('How many of them were sent to again before.'),
    reachable: z.int().describe('How many would be sent to now.'),
    excluded: z.array(z.object({ reason: z.string(), count: z.int() })),
    checks: z.array(PlanCheck),
    resend_token: z
      .string()
      .optional()
      .describe('For resend_uncertain. Only there if somebody would get it.'),
    expires_at: MomentOut,
    ...nowOutput,
  }),
  handle: async (work, { broadcast_id, include_failed }) => {
    const row = await requireBroadcast(work, broadcast_id);
    refuseUnlessFinished(row);
    const inputs = await readPlanInputs(work, row, work.now);
    const rows = await readResendable(work, broadcast_id, include_failed);
    const excluded = await countExcluded(work, { ...inputs, row }, rows);
    const reachable = rows.length - [...excluded.values()].reduce((sum, count) => sum + count, 0);
    const checks = blockingContent(inputs);
    const isReady = reachable > 0 && checks.length === 0;
    return {
      broadcast_id,
      uncertain: rows.filter(({ state }) => state === 'uncertain').length,
      failed: rows.filter(({ state }) => state === 'failed').length,
      again: rows.filter(({ again }) => again).length,
      reachable,
      excluded: [...excluded]
        .map(([reason, count]) => ({ reason, count }))
        .toSorted((one, other) => other.count - one.count),
      checks,
      ...(isReady && { resend_token: toResendToken(work, row, include_failed) }),
      expires_at: new Date(work.now.getTime() + resendAgeMs).toISOString(),
      now: work.now.toISOString(),
    };
  },
});

/** Judges everybody as they are judged once more just before their message is handed over. */
async function countExcluded(
  work: Work,
  run: PlanInputs & { readonly row: StoredBroadcast },
  rows: readonly Resendable[],
): Promise<Map<string, number>> {
  const { channel } = run.draft;
  const excluded = new Map<string, number>();
  for (let from = 0; from < rows.length; from += chunk) {
    const part = rows.slice(from, from + chunk);
    const people = part.flatMap(({ person_id }) => person_id ?? []);
    const ids = part.map(({ id }) => id);
    const found = people.length === 0 ? new Map<string, never>() : await judge(work, run, people, ids);
    const addresses = [...found.values()].flatMap(({ address }) => address ?? []);
    const suppressed = await suppressedAmong(work, channel, addresses);
    for (const { person_id, arrived } of part) {
      const judged = person_id === null ? undefined : found.get(person_id);
      const reason = arrived
        ? 'arrived'
        : person_id === null
          ? 'deleted'
          : judged === undefined
            ? 'left_audience'
            : reasonAgainst(judged, channel, suppressed);
      if (reason !== undefined) excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
    }
  }
  return excluded;
}
