import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/main/free-ports.ts';
import { auditOf } from '../support/audit.ts';
import { newWebinar } from '../support/broadcast.ts';
import { expectBalanced } from '../support/ledger.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { newRoute, setRoute, useRoute } from '../support/route.ts';
import {
  advanceClock,
  ended,
  moveClock,
  receiversOf,
  scheduleEmail,
  settled,
  useSending,
} from '../support/sending.ts';
import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';

const sending = useSending();
let one: MailServer;
let two: MailServer;
beforeAll(async () => {
  [one, two] = [await startMailServer(), await startMailServer()];
});
afterAll(() => Promise.all([one.close(), two.close()]));

const password = 'a-password-that-nobody-may-see';
const settingsTo = (url: string) => ({
  SMTP_URL: `${url.replace('//', `//somebody:${password}@`)}?tls=off`,
  SMTP_CONNECTIONS: '3',
});
const soon = { timeout: 30_000, interval: 50 };

/** An organization on a route, with a broadcast to so many whose time has come. */
async function begin(route: string, count: number) {
  const { world } = sending();
  const org = await newSendingOrg(world);
  expect(await useRoute(world, org, route)).toBe(true);
  const readers = await newReaders(org, count);
  const webinar_id = await newWebinar(world, org);
  await world.admin.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select $1, gen_random_uuid(), $2, person, now() from unnest($3::uuid[]) person`,
    [org.id, webinar_id, [...readers.values()]],
  );
  const { id, subject, sendAt } = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  await moveClock(org, sendAt);
  return { org, id, subject, readers: [...readers.keys()] };
}

const gotAt = (server: MailServer, subject: string) => receiversOf(server, subject).toSorted();

async function statesOf(org: TestOrg): Promise<Record<string, number>> {
  const { rows } = await sending().world.admin.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from deliveries where org_id = $1 group by state',
    [org.id],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

test('each organization’s mail goes to the server of its route and to no other', async () => {
  const { world, mail } = sending();
  await newRoute(world, 'one', settingsTo(one.url));
  await newRoute(world, 'two', settingsTo(two.url));
  const sent = await Promise.all(['one', 'two', 'default'].map((route) => begin(route, 5)));
  for (const { org, id } of sent) await ended(org, id);
  for (const [at, { subject, readers }] of sent.entries()) {
    const got = [one, two, mail].map((server) => gotAt(server, subject));
    expect(got).toEqual([0, 1, 2].map((server) => (server === at ? readers.toSorted() : [])));
  }
});

test('a route that fails delays its own organizations alone, and what waited goes out once it is mended', async () => {
  const { world, mail } = sending();
  await newRoute(world, 'away', settingsTo(`smtp://127.0.0.1:${await freePort()}`));
  const late = await begin('away', 3);
  const other = await begin('default', 3);
  await ended(other.org, other.id, 10_000);
  expect(gotAt(mail, other.subject)).toEqual(other.readers.toSorted());
  await expect.poll(() => statesOf(late.org), soon).toEqual({ pending: 3 });
  await setRoute(world, 'away', settingsTo(two.url));
  await advanceClock(late.org, 60);
  await ended(late.org, late.id);
  expect(gotAt(two, late.subject)).toEqual(late.readers.toSorted());
  expect(await statesOf(late.org)).toEqual({ sent: 3 });
});

test('a route that is changed, and left, under way loses nobody and writes to nobody twice', async () => {
  const { world, mail } = sending();
  await newRoute(world, 'moving', settingsTo(one.url));
  // As long in all, however few they are.
  const many = isLong ? 400 : 280;
  one.thinkMs = two.thinkMs = () => (isLong ? 15 : 25);
  const { org, id, subject, readers } = await begin('moving', many);
  await expect.poll(() => gotAt(one, subject).length, soon).toBeGreaterThan(20);
  await setRoute(world, 'moving', settingsTo(two.url));
  await expect.poll(() => gotAt(two, subject).length, soon).toBeGreaterThan(20);
  await useRoute(world, org, 'default');
  await ended(org, id);
  await settled(world, org);
  one.thinkMs = two.thinkMs = () => 0;
  const got = [one, two, mail].map((server) => gotAt(server, subject));
  for (const part of got) expect(part.length).toBeGreaterThan(20);
  expect(got.flat().toSorted()).toEqual(readers.toSorted());
  expect(await statesOf(org)).toEqual({ sent: many });
  await expectBalanced(world, id);
});

test('what is in a route is sealed, and no log line or audit row has it', async () => {
  const { world } = sending();
  const { rows } = await world.admin.query<{ all: string }>(
    `select string_agg(encode(settings, 'escape') || r::text, ' ') as all from installation.routes r`,
  );
  const { rows: audit } = await world.admin.query(
    `select operation, route, a::text as all from installation.audit_log a where route = 'moving' order by id`,
  );
  expect(audit).toMatchObject([{ operation: 'add_route' }, { operation: 'change_route' }]);
  const { rows: ofOrgs } = await world.admin.query<{ all: string }>(
    `select string_agg(a::text, ' ') as all from audit_log a`,
  );
  const said = [rows[0]!.all, audit[0].all, audit[1].all, ofOrgs[0]!.all, ...world.logLines];
  expect(rows[0]!.all).toContain('smtp://127.0.0.1:');
  for (const words of said) {
    expect(words).not.toContain(password);
    expect(words).not.toContain('somebody');
    expect(words).not.toContain(Buffer.from(password).toString('hex'));
  }
});

test('an organization’s choice is audited, and a route for another channel is none', async () => {
  const { world } = sending();
  const org = await world.newOrg();
  expect(await useRoute(world, org, 'one', 'sms')).toBe(false);
  expect(await useRoute(world, org, 'nowhere')).toBe(false);
  await useRoute(world, org, 'one');
  await useRoute(world, org, 'default');
  expect(await auditOf(world, org, 'choose_route')).toEqual(
    ['one', 'default'].map((route) => ({
      ids: { org_id: org.id, channel: 'email', route },
      reason: null,
      actor_id: 'operator',
    })),
  );
});
