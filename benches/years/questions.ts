import { randomUUID } from 'node:crypto';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { serviceWork } from '../../src/database/service-work.ts';
import type { Work } from '../../src/database/work.ts';
import { explainRecipient } from '../../src/domain/broadcasts/outcome/explain-recipient.ts';
import { getBroadcastStats } from '../../src/domain/broadcasts/outcome/get-broadcast-stats.ts';
import { listPersonDeliveries } from '../../src/domain/broadcasts/outcome/list-person-deliveries.ts';
import { listPersonEvents } from '../../src/domain/events/list-person-events.ts';
import { forgetHistory, type HistoryTable } from '../../src/domain/orgs/forget-history.ts';
import { removeOrgPart } from '../../src/domain/orgs/remove-organization.ts';
import type { BroadcastId, OrgId, PersonId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { claim, newBroadcast } from './life.ts';
import type { Watched } from './watch.ts';

export interface Question {
  readonly name: string;
  /** What is asked how often: the least of them is taken, as others may be at work beside. */
  readonly times: number;
  readonly ask: () => Promise<unknown>;
}

const parts = {
  keys: keyring({ ROSTRUM_SECRET: 'a secret for benches that guards nothing' }),
  mail: { returnPathHost: 'localhost', publicUrl: 'http://localhost' },
};

const page = { limit: 50, offset: 0 };
const [actor, requestId] = ['bench', 'bench'];

/** What is asked about the organization in the middle. Retention and deletion take one more each. */
export async function questionsOf(watched: Watched, orgs: readonly OrgId[]): Promise<Question[]> {
  const { database, admin } = watched;
  const org = orgs[Math.floor(orgs.length / 2)]!;
  const one = async <T>(question: string): Promise<T> =>
    (await admin.query<{ id: T }>(question, [org])).rows[0]!.id;
  const broadcast_id = await one<BroadcastId>(
    'select id from broadcasts where org_id = $1 order by id offset 20 limit 1',
  );
  const person_id = await one<PersonId>(
    'select id from people where org_id = $1 order by id offset 7 limit 1',
  );
  const sending = await newBroadcast(admin, org, 640);
  const within = (ask: (work: Work) => Promise<unknown>) => () =>
    orgTransaction(database, org, 'read', (db) =>
      ask(serviceWork(parts, { db, org, now: new Date(), mode: 'live', currency: 'USD', actor, requestId })),
    );
  return [
    { name: 'claim of 64', times: 5, ask: () => claim(database, org, sending, 0, randomUUID()) },
    { name: 'stats', times: 5, ask: within((work) => getBroadcastStats.handle(work, { broadcast_id })) },
    {
      name: 'timeline, events',
      times: 5,
      ask: within((work) => listPersonEvents.handle(work, { person_id, ...page, event_name: undefined })),
    },
    {
      name: 'timeline, messages',
      times: 5,
      ask: within((work) => listPersonDeliveries.handle(work, { person_id, ...page })),
    },
    {
      name: 'explain',
      times: 5,
      ask: within((work) => explainRecipient.handle(work, { broadcast_id, person_id })),
    },
  ];
}

/** All of an organization's rows before the last `months`, part by part. Returns how many parts and rows. */
export async function retain({ database }: Watched, org: OrgId, table: HistoryTable, months: number) {
  let [rows, count] = [0, 0];
  for (let more = true; more; count++) {
    const part = await forgetHistory(database, { org, table, months }, new Date());
    rows += part.count;
    ({ more } = part);
  }
  return { rows, count };
}

/** Everything of an organization, until it is gone. */
export async function removeAll({ database, admin }: Watched, org: OrgId): Promise<number> {
  await admin.query(`update organizations set state = 'deleting' where id = $1`, [org]);
  await admin.query('insert into organization_removals (org_id, asked_at) values ($1, now())', [org]);
  for (let count = 1; ; count++) {
    if ((await removeOrgPart(database, { org_id: org }, new Date())).outcome === 'done') return count;
  }
}
