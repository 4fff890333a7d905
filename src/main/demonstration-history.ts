import { sql } from 'kysely';
import { operations } from '../catalogue/operations.ts';
import type { Perform } from '../catalogue/perform.ts';
import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { permissions, type Caller } from '../kernel/caller.ts';
import { newId, type OrgId } from '../kernel/ids.ts';
import { fillLedger, followOpens } from './demonstration-ledger.ts';
import { addEvents, addRegistrations, addSubscriptions } from './demonstration-year.ts';
import { demonstrationWorkflow } from './demonstration-workflow.ts';

export interface HistoryParts {
  readonly database: Database;
  readonly perform: Perform;
  readonly org: OrgId;
  readonly now: Date;
  /** The start of today in UTC, from which the past is dated. */
  readonly today: Date;
}

type Name = (typeof operations)[number]['name'];

const pastWebinars = [
  { title: 'From list to audience', daysAgo: 95, share: 30 },
  { title: 'Reminders that people open', daysAgo: 32, share: 40 },
];

const pastBroadcasts = [
  { subject: 'What changed this spring', daysAgo: 210, link: 'https://example.com/spring' },
  { subject: 'Three ways to fill a webinar', daysAgo: 74, link: 'https://example.com/fill' },
  { subject: 'The recording is there', daysAgo: 30, link: 'https://example.com/recording' },
];

/**
 * A year behind the demonstration: payments and events, two webinars that were held, three broadcasts that were sent,
 * and a webinar to come whose registrants go through a workflow. What is chosen follows from people's numbers.
 */
export async function writeHistory(telling: HistoryParts): Promise<void> {
  const { database, org, now, today } = telling;
  await orgTransaction(database, org, 'write', async (db) => {
    await addSubscriptions(db, org, today);
    await addEvents(db, org, today);
  });
  for (const past of pastWebinars) await holdWebinar(telling, past);
  const senders = await ask(telling, now, 'list_senders', {});
  const sender_id = (senders['senders'] as { id: string }[])[0]!.id;
  for (const past of pastBroadcasts) await sendBroadcast(telling, sender_id, past);
  await orgTransaction(database, org, 'write', (db) => followOpens(db, org, today));
  await announceWebinar(telling, sender_id);
}

/** Performs an operation as if it were called at that moment. */
async function ask(
  { perform, org }: HistoryParts,
  now: Date,
  name: Name,
  input: object,
): Promise<Record<string, unknown>> {
  const caller: Caller = {
    org,
    actor: { kind: 'service', id: 'demonstration' },
    permissions: new Set(permissions),
    powers: new Set(),
    face: 'cli',
    requestId: newId(now),
    address: null,
    now,
    mode: 'test',
    currency: 'USD',
  };
  const operation = operations.find((one) => one.name === name)!;
  return (await perform(operation, caller, input)).output;
}

const idOf = (answer: Record<string, unknown>, thing: string): string => (answer[thing] as { id: string }).id;

/** Three in the afternoon, `days` before today; negative days are after it. */
const daysBefore = (today: Date, days: number): Date =>
  new Date(today.getTime() - days * 86_400_000 + 15 * 3_600_000);

async function holdWebinar(telling: HistoryParts, past: (typeof pastWebinars)[number]): Promise<void> {
  const start = daysBefore(telling.today, past.daysAgo);
  const webinar = { title: past.title, start_time: start, timezone: 'Europe/Paris', duration_minutes: 45 };
  const made = await ask(telling, daysBefore(telling.today, past.daysAgo + 30), 'create_webinar', {
    webinar: { ...webinar, start_time: start.toISOString(), join_url: 'https://example.com/join' },
  });
  const held = { ...webinar, id: idOf(made, 'webinar'), share: past.share };
  await orgTransaction(telling.database, telling.org, 'write', (db) =>
    addRegistrations(db, telling.org, held),
  );
}

async function sendBroadcast(
  telling: HistoryParts,
  sender_id: string,
  { subject, daysAgo, link }: (typeof pastBroadcasts)[number],
): Promise<void> {
  const at = daysBefore(telling.today, daysAgo);
  const made = await ask(telling, daysBefore(telling.today, daysAgo + 1), 'create_broadcast', {
    audience: 'everyone',
    sender_id,
    subject,
    html: `<p>Hi {{var_name}},</p><p>we wrote it down: <a href="${link}">${subject}</a>.</p>`,
    variables: {
      var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'there' },
    },
  });
  await orgTransaction(telling.database, telling.org, 'write', (db) =>
    fillLedger(db, telling.org, { id: idOf(made, 'broadcast'), subject, link, at, salt: daysAgo }),
  );
}

/** The engine takes these registrants through the workflow like any others. */
async function announceWebinar(telling: HistoryParts, sender_id: string): Promise<void> {
  const { now, database, org } = telling;
  const made = await ask(telling, now, 'create_webinar', {
    webinar: {
      title: 'Plan before you send',
      start_time: daysBefore(telling.today, -9).toISOString(),
      timezone: 'Europe/Paris',
      duration_minutes: 45,
      join_url: 'https://example.com/join',
    },
  });
  const webinar_id = idOf(made, 'webinar');
  const flow = await ask(telling, now, 'create_workflow', demonstrationWorkflow(webinar_id, sender_id));
  await ask(telling, now, 'publish_workflow', { workflow_id: idOf(flow, 'workflow') });
  const { rows } = await orgTransaction(database, org, 'read', (db) =>
    sql<{ external_user_id: string }>`
      select external_user_id from people where org_id = ${org} order by created_at desc, id limit 12`.execute(
      db,
    ),
  );
  for (const { external_user_id: user_id } of rows)
    await ask(telling, now, 'register_for_webinar', { webinar_id, user: { user_id } });
}
