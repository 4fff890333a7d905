import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { BroadcastId, PersonId } from '../../../kernel/ids.ts';
import { Moment, MomentOut, nowOutput, outgoing } from '../../../kernel/moment.ts';
import { coverablesOf } from '../../content/variables/coverage-sql.ts';
import { Allowance } from '../../orgs/allowance.ts';
import { audienceOf } from './audience.ts';
import { audiences, channels, ShownSender } from '../draft/broadcast.ts';
import { requireBroadcast } from '../draft/broadcast-rows.ts';
import { countAudience } from './count-audience.ts';
import { refuseUnlessDraft } from '../draft/draft-only.ts';
import { audienceNote } from './audience-note.ts';
import { pacedOverHours } from './pacing.ts';
import { blockingChecks, PlanCheck } from './plan-checks.ts';
import { readPlanInputs, type PlanInputs } from './plan-inputs.ts';
import { toToken } from './plan-token.ts';
import { planWarnings } from './plan-warnings.ts';
import { plannedThings } from './planned-things.ts';
import { mayReadPeople, renderFor } from './render-for.ts';

export const planAgeMs = 3_600_000;

/** In UTC a moment may leave the years that ISO 8601 writes with four digits: 9999-12-31T23:59:59-12:00. */
const hasFourDigits = (moment: Date): boolean => MomentOut.safeParse(moment.toISOString()).success;

export const planBroadcast = defineOperation({
  name: 'plan_broadcast',
  title: 'Plan a broadcast',
  summary:
    'A dry run that writes nothing: who would get the draft and who would be left out and why, when it goes out, what ' +
    'one real recipient reads, and checks. Errors block; without any there is a plan_token, good for one hour. Show ' +
    'the person the preview, the counts and every warning, and schedule with the token only when they agree.',
  permission: 'broadcasts.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/plan'], tool: true },
  input: z.strictObject({
    broadcast_id: BroadcastId,
    send_at: Moment.refine(hasFourDigits, 'Must be in a year of four digits, also in UTC.')
      .optional()
      .describe(
        'When to send, with zone; an hour to a year ahead. Leave it out when webinar_offset_minutes is set.',
      ),
  }),
  output: z.object({
    broadcast_id: BroadcastId,
    ready: z.boolean(),
    plan_token: z.string().optional().describe('For schedule_broadcast. Only there when ready.'),
    expires_at: MomentOut,
    ...nowOutput,
    channel: z.enum(channels),
    delivery: z.object({ send_at: MomentOut.nullable(), paced_over_hours: z.number() }),
    audience: z.object({
      kind: z.enum(audiences),
      segment_name: z.string().nullable(),
      recipients: z.int().describe('How many are in the audience now.'),
      reachable: z.int().describe('How many of them would get it now.'),
      excluded: z.array(z.object({ reason: z.string(), count: z.int() })),
      note: z.string(),
    }),
    sender: ShownSender.nullable(),
    variables: z.array(
      z.object({ name: z.string(), variable: z.string(), with_value: z.int(), with_fallback: z.int() }),
    ),
    preview: z
      .object({ person_id: PersonId.nullable(), subject: z.string().nullable(), body: z.string() })
      .nullable()
      .describe(
        'The body as one real recipient gets it; null while nobody would get it. Without the permission people.read ' +
          'nobody is named, and fallbacks and examples stand for values.',
      ),
    allowance: Allowance.nullable().describe(
      'What may be sent in the month it would go out; null: no limit.',
    ),
    checks: z.array(PlanCheck),
  }),
  handle: async (work, { broadcast_id, send_at }) => {
    const row = await requireBroadcast(work, broadcast_id);
    refuseUnlessDraft(row);
    const inputs = await readPlanInputs(work, row, send_at);
    const { draft, segment, sender, sendAt: at } = inputs;
    const coverables = await coverablesOf(work, draft.variables, inputs.webinar);
    const audience = audienceOf(work, draft, segment?.conditions);
    const counts = await countAudience(work, audience, draft.channel, coverables);
    const rendered = await renderFor(work, inputs, counts.one, at ?? work.now);
    const errors = blockingChecks(inputs, work.now);
    const warnings = planWarnings(inputs, {
      counts,
      rendered,
      sentBefore: await findSentBefore(work, row.content_hash),
      sendAtIgnored: send_at !== undefined && inputs.timedByWebinar,
    });
    return {
      broadcast_id,
      ready: errors.length === 0,
      ...(errors.length === 0 &&
        at !== undefined && {
          plan_token: tokenFor(work, inputs, at, counts.recipients),
        }),
      expires_at: new Date(work.now.getTime() + planAgeMs).toISOString(),
      now: work.now.toISOString(),
      channel: draft.channel,
      delivery: { send_at: outgoing(at ?? null), paced_over_hours: pacedOverHours(draft) },
      audience: {
        kind: draft.audience as (typeof audiences)[number],
        segment_name: segment?.name ?? null,
        recipients: counts.recipients,
        reachable: counts.reachable,
        excluded: [...counts.excluded],
        note: audienceNote(inputs, work.now),
      },
      sender: sender === undefined ? null : { id: sender.id, from: sender.from, reply_to: sender.reply_to },
      variables: [...counts.withValue].map(([name, withValue]) => ({
        name,
        variable: draft.variables[name]?.variable ?? '',
        with_value: withValue,
        with_fallback: counts.reachable - withValue,
      })),
      preview:
        rendered === undefined || counts.one === undefined
          ? null
          : {
              person_id: mayReadPeople(work) ? counts.one : null,
              subject: rendered.subject,
              body: rendered.body,
            },
      allowance: inputs.allowance ?? null,
      checks: [...errors, ...warnings],
    };
  },
});

function tokenFor(work: Work, inputs: PlanInputs, sendAt: Date, recipients: number): string {
  const salt = randomBytes(8).toString('base64url');
  return toToken(work, inputs, {
    salt,
    revision: inputs.revision,
    plannedAt: work.now,
    sendAt,
    plannedBy: work.caller.actor,
    things: plannedThings(inputs, salt),
    recipients,
  });
}

/** When the same subject and body went out last. */
async function findSentBefore(work: Work, contentHash: Buffer | null): Promise<Date | undefined> {
  if (contentHash === null) return undefined;
  const earlier = await work.db
    .selectFrom('broadcasts')
    .select('started_at')
    .where('org_id', '=', work.org)
    .where('content_hash', '=', contentHash)
    .where('started_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return earlier?.started_at ?? undefined;
}
