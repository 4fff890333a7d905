import type { Work } from '../../../database/work.ts';
import type { BroadcastId, OrgId, PersonId } from '../../../kernel/ids.ts';
import { readValues } from '../../content/variables/read-values.ts';
import { trackLinks } from '../../content/body/track-links.ts';
import { noDelivery, tokenFor } from '../../delivery/ledger/delivery-token.ts';
import { composeEmail } from '../../delivery/outgoing/email-message.ts';
import type { HandOver, Provider } from '../../delivery/outgoing/outgoing.ts';
import { sinkProvider } from '../../delivery/providers/sink.ts';
import { publicUrls } from '../../delivery/outgoing/public-urls.ts';
import { mayReceive } from '../../delivery/outgoing/test-recipients.ts';
import { asService } from '../../orgs/as-service.ts';
import { requireBroadcast, type StoredBroadcast } from '../draft/broadcast-rows.ts';
import { contentChecks } from '../plan/plan-checks.ts';
import { readPlanInputs, type PlanInputs } from '../plan/plan-inputs.ts';
import { fillInExamples, nobody } from '../plan/render-for.ts';
import { readDkim, readTestRecipients, type RunParts } from './run.ts';
import { unwantedAmong } from '../plan/unwanted-among.ts';
import { writeLetter, writeText } from '../plan/write-letter.ts';

type TestParts = Pick<RunParts, 'database' | 'clock' | 'keys' | 'mail' | 'providers'>;

export interface TestSendRef {
  readonly org_id: OrgId;
  readonly test_send_id: string;
}

const mark = '[Test]';

type HandOne = () => Promise<HandOver>;

/**
 * Sends the messages of a test_broadcast call at most once: a transaction of its own takes them, and if the process
 * dies after that, the caller must ask again. Returns the outcome of each message.
 */
export async function sendTest(parts: TestParts, ref: TestSendRef): Promise<HandOver['outcome'][]> {
  const asked = {
    org: ref.org_id,
    now: parts.clock.now(),
    actor: 'test_send',
    requestId: ref.test_send_id,
    rests: true,
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

/** Renders the messages; none if the broadcast was changed and can no longer be sent. */
async function write(work: Work, parts: TestParts, row: StoredBroadcast, taken: Taken): Promise<HandOne[]> {
  const inputs = await readPlanInputs(work, row);
  const { draft } = inputs;
  if (contentChecks(inputs).next().done !== true) return [];
  const suppressed = await unwantedAmong(work, draft.channel, taken.addresses);
  const going = taken.addresses.filter((address) => !suppressed.has(address));
  const values = await valuesFor(work, inputs, taken.person_id as PersonId | null);
  const reallyTo = work.caller.mode === 'test' ? await readTestRecipients(work) : undefined;
  const providers = await parts.providers(work, draft.channel);
  const through = <Message>(provider: Provider<Message> | undefined, to: string): Provider<Message> =>
    provider === undefined || (reallyTo !== undefined && !mayReceive(reallyTo, to))
      ? sinkProvider()
      : provider;
  if (draft.channel === 'sms') {
    const body = `${mark} ${writeText(inputs, values)}`;
    const token = tokenFor(work.keys, 'receipt', { org: work.org, delivery: noDelivery });
    const from = inputs.smsNumber!;
    return going.map(
      (to) => () => through(providers.text, to).send({ org: work.org, from, to, body, token }),
    );
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
    const email = composeEmail({ ...same, delivery: noDelivery, to, subject, html, text, unsubscribe });
    // A unique id: mailboxes show two messages with one id as one.
    const messageId = `test-${taken.id}-${at}@${sender.domain}`;
    return () => through(providers.email, to).send({ ...email, messageId });
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
