import { z } from 'zod';
import { addToOutbox } from '../../../database/outbox.ts';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure, invalidRequest } from '../../../kernel/failure.ts';
import { BroadcastId, newId, PersonId } from '../../../kernel/ids.ts';
import { EmailAddress } from '../../identifiers/identifier.ts';
import { toE164 } from '../../identifiers/phone-number.ts';
import { requireBroadcast } from '../draft/broadcast-rows.ts';
import { contentChecks } from './plan-checks.ts';
import { readPlanInputs, type PlanInputs } from './plan-inputs.ts';
import { requireReadable } from './preview-broadcast.ts';
import { mayReadPeople } from './render-for.ts';
import { unwantedAmong } from './unwanted-among.ts';

const mostAtOnce = 5;
const mostInADay = 100;
const dayMs = 86_400_000;

export const testBroadcast = defineOperation({
  name: 'test_broadcast',
  title: 'Send a broadcast to yourself',
  summary:
    'Send the message as it stands to a few addresses, marked as a test. It counts nowhere: not in stats, recipients, ' +
    'timelines or allowances, and its links are not tracked. Suppressed addresses get nothing. With person_id it is ' +
    "filled in with that person's values, else with fallbacks and examples.",
  permission: 'broadcasts.schedule',
  effect: 'add',
  cost: 'heavy',
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/test'] },
  input: z.strictObject({
    broadcast_id: BroadcastId,
    to: z
      .array(z.string().trim().min(3).max(254))
      .min(1)
      .max(mostAtOnce)
      .describe('Email addresses, or phone numbers for a text.'),
    person_id: PersonId.optional().describe(
      'Whose values to fill in; takes the permission people.read beside.',
    ),
  }),
  output: z.object({
    test_send_id: z.guid(),
    to: z.array(z.string()).describe('Whom it goes to, within moments.'),
    left_out: z
      .array(z.string())
      .describe('Suppressed, so nothing goes there. Told to credentials with people.read only.'),
  }),
  handle: async (work, { broadcast_id, to, person_id }) => {
    const row = await requireBroadcast(work, broadcast_id);
    if (person_id !== undefined) await requireReadable(work, person_id);
    const inputs = await readPlanInputs(work, row);
    refuseUnfinished(inputs);
    const addresses = readAddresses(inputs, to);
    const suppressed = await unwantedAmong(work, inputs.draft.channel, addresses);
    const going = addresses.filter((address) => !suppressed.has(address));
    await refuseTooMany(work, going.length);
    const id = newId(work.now);
    const created_at = work.caller.now;
    await work.db
      .insertInto('test_sends')
      .values({
        org_id: work.org,
        id,
        broadcast_id,
        person_id: person_id ?? null,
        addresses: going,
        messages: going.length,
        created_at,
      })
      .execute();
    await addToOutbox(work, 'TestSend', { test_send_id: id });
    Object.assign(work.touched, { broadcast_id, test_send_id: id, ...(person_id && { person_id }) });
    const mayKnow = mayReadPeople(work);
    return {
      test_send_id: id,
      to: mayKnow ? going : addresses,
      left_out: mayKnow ? [...suppressed] : [],
    };
  },
});

function refuseUnfinished(inputs: PlanInputs): void {
  const checks = [...contentChecks(inputs)];
  if (checks.length === 0) return;
  throw new Failure('broadcast_unfinished', checks.map(({ message }) => message).join(' '), {
    errors: checks.map(({ code, message }) => ({ pointer: '/checks', code, detail: message })),
  });
}

function readAddresses({ draft }: PlanInputs, to: readonly string[]): string[] {
  const isEmail = draft.channel === 'email';
  const read = to.map((text) => (isEmail ? EmailAddress.safeParse(text).data : toE164(text)));
  const errors = read.flatMap((address, at) => {
    if (address !== undefined) return [];
    const detail = isEmail ? 'Must be an email address.' : 'Must be a phone number such as +15550001111.';
    return [{ pointer: `/to/${at}`, code: 'invalid_value', detail }];
  });
  if (errors.length > 0) throw invalidRequest(errors);
  return [...new Set(read.flatMap((address) => address ?? []))];
}

/** Tests count nowhere else, so they have a limit of their own: they must not bypass an allowance. */
async function refuseTooMany({ db, org, caller }: Work, more: number): Promise<void> {
  const aDayAgo = new Date(caller.now.getTime() - dayMs);
  // Locked, so that of two concurrent calls the second sees the first.
  await db.selectFrom('organizations').select('id').where('id', '=', org).forNoKeyUpdate().execute();
  await db
    .deleteFrom('test_sends')
    .where('org_id', '=', org)
    .where('created_at', '<=', aDayAgo)
    .where('taken_at', 'is not', null)
    .execute();
  const { sent } = await db
    .selectFrom('test_sends')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('messages'), eb.lit(0)).as('sent'))
    .where('org_id', '=', org)
    .where('created_at', '>', aDayAgo)
    .executeTakeFirstOrThrow();
  if (Number(sent) + more <= mostInADay) return;
  throw new Failure(
    'rate_limited',
    `An organization sends at most ${mostInADay} tests within 24 hours. Preview the broadcast instead, or wait.`,
    { retryAfterSeconds: 3_600 },
  );
}
