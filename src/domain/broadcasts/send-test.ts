import type { Work } from '../../database/work.ts';
import type { BroadcastId, OrgId, PersonId } from '../../kernel/ids.ts';
import { readValues } from '../content/read-values.ts';
import { trackLinks } from '../content/track-links.ts';
import { tokenFor } from '../delivery/delivery-token.ts';
import { composeEmail } from '../delivery/email-message.ts';
import type { HandOver, Provider } from '../delivery/outgoing.ts';
import { sinkProvider } from '../delivery/providers/sink.ts';
import { publicUrls } from '../delivery/public-urls.ts';
import { mayReally } from '../delivery/test-recipients.ts';
import { asService } from '../orgs/as-service.ts';
import { requireBroadcast, type StoredBroadcast } from './broadcast-rows.ts';
import { contentChecks } from './plan-checks.ts';
import { readPlanInputs, type PlanInputs } from './plan-inputs.ts';
import { fillInExamples, nobody } from './render-for.ts';
import { readDkim, readTestRecipients, type RunParts } from './run.ts';
import { unwantedAmong } from './unwanted-among.ts';
import { writeLetter, writeText } from './write-letter.ts';

type TestParts = Pick<RunParts, 'database' | 'clock' | 'keys' | 'mail' | 'providers'>;

export interface TestSendRef {
  readonly org_id: OrgId;
  readonly test_send_id: string;
}

/** No message in the ledger has this number: what comes back about a test is about nothing. */
const noDelivery = 0;
const mark = '[Test]';

type HandOne = () => Promise<HandOver>;

/**
 * Sends what was asked for with test_broadcast, once: it is taken in a transaction of its own, and should this process
 * die after that, whoever wanted it asks again. Answers what became of each message.
 */
export async function sendTest(parts: TestParts, ref: TestSendRef): Promise<HandOver['outcome'][]> {
  const asked = {
    org: ref.org_id,
    now: parts.clock.now(),
    actor: 'test_send',
    requestId: ref.test_send_id,
  };
  const messages = await asService(parts.database, parts, asked, async (work) => {
    const taken = await take(work, ref.test_send_id, parts.clock.now());
    if (taken === undefined) return [];
    return write(work, parts, await requireBroadcast(work, taken.broadcast_id as BroadcastId), taken);
  });
  const answers = await Promise.all((messages ?? []).map((hand) => hand()));
  return answers.map(({ outcome }) => outcome);
}

interface Taken {
  readonly id: string;
  readonly broadcast_id: string;
  readonly person_id: string | null;
  readonly addresses: readonly string[];
}

async function take({ db, org }: Work, id: string, now: Date): Promise<Taken | undefined> {
  const found = await db
    .selectFrom('test_sends')
    .select(['id', 'broadcast_id', 'person_id', 'addresses'])
    .where('org_id', '=', org)
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) return undefined;
  await db
    .updateTable('test_sends')
    .set({ taken_at: now, addresses: [], person_id: null })
    .where('org_id', '=', org)
    .where('id', '=', id)
    .execute();
  return found;
}

/** The messages, written and ready to go; none when the broadcast was changed to what cannot be sent. */
async function write(work: Work, parts: TestParts, row: StoredBroadcast, taken: Taken): Promise<HandOne[]> {
  const inputs = await readPlanInputs(work, row);
  const { draft } = inputs;
  if (contentChecks(inputs).next().done !== true) return [];
  const suppressed = await unwantedAmong(work, draft.channel, taken.addresses);
  const going = taken.addresses.filter((address) => !suppressed.has(address));
  const values = await valuesFor(work, inputs, taken.person_id as PersonId | null);
  const reallyTo = work.caller.mode === 'test' ? await readTestRecipients(work) : undefined;
  const through = <Message>(provider: Provider<Message> | undefined, to: string): Provider<Message> =>
    provider === undefined || (reallyTo !== undefined && !mayReally(reallyTo, to))
      ? sinkProvider()
      : provider;
  if (draft.channel === 'sms') {
    const body = `${mark} ${writeText(inputs, values)}`;
    const token = tokenFor(work.keys, 'receipt', { org: work.org, delivery: noDelivery });
    const from = inputs.smsNumber!;
    return going.map((to) => () => through(parts.providers.text, to).send({ from, to, body, token }));
  }
  const { keys, mail, org } = work;
  const { unsubscribe } = publicUrls(keys, mail.publicUrl, { org, delivery: noDelivery });
  const tracked = trackLinks(draft.body?.pieces ?? []).pieces;
  const letter = writeLetter({ ...inputs, tracked }, values, { unsubscribe });
  const sender = inputs.sender!;
  const same = { keys, mail, org, broadcastId: row.id, sender, dkim: (await readDkim(work, row))! };
  return going.map((to, at) => {
    const subject = `${mark} ${letter.subject}`;
    const { html, text } = letter;
    const email = composeEmail({ ...same, delivery: noDelivery, to, subject, html, text });
    // One of its own: mailboxes show two messages of one id as one.
    const messageId = `test-${taken.id}-${at}@${sender.domain}`;
    return () => through(parts.providers.email, to).send({ ...email, messageId });
  });
}

async function valuesFor(
  work: Work,
  { draft, webinar, zone }: PlanInputs,
  person: PersonId | null,
): Promise<ReadonlyMap<string, string>> {
  const reader = person ?? nobody;
  const values = await readValues(work, [reader], draft.variables, webinar, { now: work.now, zone });
  const own = values.get(reader) ?? new Map<string, string>();
  if (person === null) fillInExamples(own, draft.variables);
  return own;
}
