import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lockWaits } from '../support/lock-waits.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { eventsOf, follow, judge, newPeople, sendTo, totalsOf, type SentMessage } from './sent-broadcast.ts';

const world = useWorld();
let org: TestOrg;
/** Somebody else at work on the same rows. */
let other: pg.Client;

beforeAll(async () => {
  org = await world().newOrg();
  other = new pg.Client({ connectionString: world().databaseUrl });
  await other.connect();
});
afterAll(() => other.end());

async function arrange() {
  const [person = '', second = ''] = await newPeople(org, 2);
  const sent = await sendTo(world(), org, [person]);
  const message = sent.messages[0] as SentMessage;
  await follow(message.urls.open);
  return { person, second, sent, message };
}

const somebodyWaits = (): Promise<unknown> =>
  vi.waitUntil(async () => (await lockWaits(world().admin)) === 1, 20_000);

/** Judges while somebody else has done something that is not committed yet. */
async function judgeDuring(statements: readonly [string, unknown[]][], meanwhile = async () => {}) {
  await other.query('begin');
  for (const [statement, values] of statements) await other.query(statement, values);
  const judged = judge(world());
  await somebodyWaits();
  await meanwhile();
  await other.query('commit');
  await judged;
}

test('a message that a merge takes along while it is judged counts for the survivor', async () => {
  const { person, second, sent, message } = await arrange();
  await judgeDuring([
    ['select 1 from people where id = any($1) order by id for update', [[person, second]]],
    ['update deliveries set person_id = $2 where id = $1', [message.delivery, second]],
    ['delete from people where id = $1', [person]],
  ]);
  expect(await eventsOf(world(), second)).toMatchObject([{ name: '$svc_email_opened' }]);
  const { body } = await org.rest(`GET /v1/people/${second}`);
  expect(body.person).toMatchObject({ email_engagement_score: 8, last_opened_at: expect.any(String) });
  expect(await totalsOf(world(), sent)).toMatchObject({ opened: 1 });
});

test('a message that somebody else counts meanwhile is not counted again', async () => {
  const { person, sent, message } = await arrange();
  await judgeDuring([['update deliveries set opened_at = now() where id = $1', [message.delivery]]]);
  expect(await eventsOf(world(), person)).toEqual([]);
  expect(await totalsOf(world(), sent)).toMatchObject({ opened: 1 });
});

test('people are held before the ledger', async () => {
  const { person, sent, message } = await arrange();
  await judgeDuring([['select 1 from people where id = $1 for update', [person]]], async () => {
    const take = 'select 1 from deliveries where id = $1 for update nowait';
    expect((await world().admin.query(take, [message.delivery])).rowCount).toBe(1);
  });
  expect(await totalsOf(world(), sent)).toMatchObject({ opened: 1 });
});

test('whoever is handing over a message to the same person is not waited for', async () => {
  const { person, sent } = await arrange();
  await other.query('begin');
  await other.query('select 1 from people where id = $1 for key share', [person]);
  await judge(world());
  expect(await totalsOf(world(), sent)).toMatchObject({ opened: 1 });
  await other.query('commit');
});
