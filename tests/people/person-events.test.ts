import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { serviceWork } from '../../src/database/service-work.ts';
import { reservedPrefix } from '../../src/domain/timeline/event.ts';
import { writeEvents, type NewEvent } from '../../src/domain/timeline/write-events.ts';
import { keyring } from '../../src/main/keys.ts';
import { lockWaits } from '../support/lock-waits.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const now = new Date('2026-03-03T00:00:00Z');

/** Records events as the service does. Answers how often the transaction had to be tried. */
async function record(org: TestOrg, events: readonly NewEvent[]): Promise<number> {
  let tries = 0;
  await orgTransaction(world().database, org.id, 'write', (db) => {
    tries++;
    const parts = { keys: keyring(world().config), mail: { returnPathHost: '', publicUrl: '' } };
    const about = {
      db,
      org: org.id,
      now,
      mode: 'test',
      currency: 'USD',
      actor: 'a_test',
      requestId: 'r',
    } as const;
    return writeEvents(serviceWork(parts, about), events);
  });
  return tries;
}

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 2, 9, minute));
const event = (person_id: string, name: string, minute: number, custom_properties = {}): NewEvent => ({
  person_id,
  name,
  custom_properties,
  occurred_at: at(minute),
});

const list = async (org: TestOrg, person: string, query = '') => {
  const { status, body } = await org.rest(`GET /v1/people/${person}/events${query}`);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['events', 'total', 'limit', 'offset']);
  return body;
};

test('a timeline is read newest first, each event with its name, what it tells and when', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  const other = await org.person({ email: 'ben@example.com' });
  expect(await list(org, person)).toEqual({ events: [], total: 0, limit: 50, offset: 0 });
  const broadcast_id = randomUUID();
  const told = { broadcast_id, nested: { deep: [1, 'two', null] }, 'a key': 'Zoë' };
  await record(org, [
    event(person, `${reservedPrefix}email_sent`, 1, told),
    event(other, `${reservedPrefix}email_sent`, 2),
    event(person, '$svc_email_opened', 3),
  ]);
  const { events, total } = await list(org, person);
  expect(total).toBe(2);
  expect(events).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_name: '$svc_email_opened',
      custom_properties: {},
      occurred_at: at(3).toISOString(),
      created_at: '2026-03-03T00:00:00.000Z',
    },
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_name: '$svc_email_sent',
      custom_properties: told,
      occurred_at: at(1).toISOString(),
      created_at: '2026-03-03T00:00:00.000Z',
    },
  ]);
  expect(events[0].id).not.toBe(events[1].id);
});

test('pages of a timeline neither skip nor repeat, also where many happened at one moment', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  await record(
    org,
    Array.from({ length: 45 }, (_, one) =>
      event(person, one % 3 === 0 ? 'bought' : 'visited', one % 4, { one }),
    ),
  );
  for (const [query, total] of [
    ['', 45],
    ['event_name=bought&', 15],
    ['event_name=sold&', 0],
  ] as const) {
    const seen: { one: number; at: string; name: string }[] = [];
    for (let offset = 0; offset < total + 7; offset += 7) {
      const page = await list(org, person, `?${query}limit=7&offset=${offset}`);
      expect(page).toMatchObject({ total, limit: 7, offset });
      for (const { custom_properties, occurred_at, event_name } of page.events) {
        seen.push({ one: custom_properties.one, at: occurred_at, name: event_name });
      }
    }
    expect(new Set(seen.map(({ one }) => one)).size).toBe(total);
    const times = seen.map((one) => Date.parse(one.at));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(seen.filter(({ name }) => query.startsWith('event_name') && !query.includes(name))).toEqual([]);
  }
});

test('what is out of range is refused, and a person who is not there is not found', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  for (const query of [
    '?limit=0',
    '?limit=201',
    '?offset=-1',
    '?event_name=',
    '?cursor=x',
    `?event_name=${'x'.repeat(201)}`,
  ]) {
    expect({ query, status: (await org.rest(`GET /v1/people/${person}/events${query}`)).status }).toEqual({
      query,
      status: 400,
    });
  }
  const survivor = await org.person({ email: 'cem@example.com' });
  const loser = await org.person({ phone: '+15550100' });
  await record(org, [event(loser, 'visited', 1)]);
  await org.person({ email: 'cem@example.com', phone: '+15550100' });
  expect(await org.rest(`GET /v1/people/${loser}/events`)).toMatchObject({
    status: 404,
    body: { code: 'not_found', merged_into: survivor },
  });
  expect((await list(org, survivor)).total).toBe(1);
  expect((await org.rest(`GET /v1/people/${randomUUID()}/events`)).status).toBe(404);
});

test('events of those who are gone, or of another organization, are left out; the others are written', async () => {
  const org = await world().newOrg();
  const stranger = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  const gone = await org.person({ email: 'ben@example.com' });
  const theirs = await stranger.person({ email: 'ann@example.com' });
  await org.rest(`DELETE /v1/people/${gone}`);
  await record(org, [event(gone, 'visited', 1), event(theirs, 'visited', 1), event(person, 'visited', 1)]);
  await record(org, []);
  expect((await list(org, person)).total).toBe(1);
  expect((await list(stranger, theirs)).total).toBe(0);
});

test('somebody who is being deleted is waited for and left out, and the others get their events', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  const going = await org.person({ email: 'ben@example.com' });
  const { admin } = world();
  await admin.query('begin');
  await admin.query('delete from people where id = $1', [going]);
  const recording = record(org, [event(going, 'visited', 1), event(person, 'visited', 1)]);
  await expect.poll(() => lockWaits(admin)).toBeGreaterThan(0);
  await admin.query('commit');
  expect(await recording).toBe(1); // nothing failed, so nothing else of the same transaction has to be done again
  expect((await list(org, person)).total).toBe(1);
});
