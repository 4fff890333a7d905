// A stop from a number that is being given to somebody at this moment, in a transaction that nobody sees yet.
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { Work } from '../../src/database/work.ts';
import { noteInboundText } from '../../src/domain/delivery/inbound/note-inbound-text.ts';
import { holdNumbers } from '../../src/domain/identifiers/hold-numbers.ts';
import { rememberAddresses } from '../../src/domain/identifiers/suppressed-address.ts';
import { createPerson } from '../../src/domain/people/identify/create-person.ts';
import { findOrCreateMany } from '../../src/domain/people/identify/find-or-create-many.ts';
import { identifyMany } from '../../src/domain/people/identify/identify-many.ts';
import { takeFields } from '../../src/domain/people/identify/sent-person.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { inService } from '../support/in-service.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { isOptedOut, newTextOrg } from './text-setting.ts';

const world = useWorld();
const phone = '+447900000001';
const fields = takeFields({});
const identifiers = [{ type: 'phone' as const, value: phone }];

const ways: [string, (work: Work) => Promise<unknown>][] = [
  ['identify_person', (work) => createPerson(work, identifiers, fields)],
  [
    'a list',
    (work) => identifyMany(work, [{ identifiers, fields, values: {}, optsOut: false }], () => false),
  ],
  ['events', (work) => findOrCreateMany(work, [identifiers], [])],
];

const stop = (from: string, to: string) =>
  noteInboundText(
    world().database,
    { keys: keyring(world().config), mail: mailSettings(world().config) },
    { from, to, body: 'STOP' },
    { now: new Date(), requestId: 'none', route: 'default' },
  );

const waiting = async (): Promise<number> =>
  (
    await sql`select 1 from pg_locks where locktype = 'advisory' and not granted and database =
      (select oid from pg_database where datname = current_database())`.execute(world().database)
  ).rows.length;

/** Does one in a transaction, lets the other come to wait for it, and commits. */
async function oneWaitsForTheOther(
  org: TestOrg,
  one: (work: Work) => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<void> {
  const [done, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = inService(world(), org, async (work) => {
    await one(work);
    done.resolve();
    await commit.promise;
  });
  await done.promise;
  const second = other();
  await vi.waitUntil(async () => (await waiting()) === 1, { timeout: 25_000 });
  commit.resolve();
  await Promise.all([first, second]);
}

/** Of everybody there is, whether they are opted out of texts. */
async function optedOut(org: TestOrg): Promise<boolean[]> {
  const { people } = (await org.rest('GET /v1/people')).body;
  return Promise.all(people.map(({ id }: { id: string }) => isOptedOut(org, id)));
}

test.each(ways)('SND-009 a stop waits for somebody being made by %s', async (_, make) => {
  const { org, number } = await newTextOrg(world());
  await oneWaitsForTheOther(org, make, () => stop(phone, number));
  expect(await optedOut(org)).toEqual([true]);
});

test.each(ways)('SND-009 somebody being made by %s waits for a stop', async (_, make) => {
  const { org } = await newTextOrg(world());
  const remember = async (work: Work) => {
    await holdNumbers(work);
    await rememberAddresses(work, [{ channel: 'sms', address: phone }]);
  };
  await oneWaitsForTheOther(org, remember, () => inService(world(), org, make));
  expect(await optedOut(org)).toEqual([true]);
});
