import { expect, test } from 'vitest';
import { relayTransaction } from '../../src/database/org-transaction.ts';
import { checkDomain, type CheckOutcome } from '../../src/domain/senders/check-domain.ts';
import type { Answer, LookUp } from '../../src/domain/senders/look-up.ts';
import { sweep } from '../../src/durable/sweep.ts';
import type { SendingDomainId } from '../../src/kernel/ids.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { getDomain, newDomain, type Answered } from './sending-domain.ts';

const world = useWorld();
const minute = 60_000;
const hour = 60 * minute;

/** DNS as it answers when the records of a domain are published, or not, or cannot be asked for. */
function lookUpOf(domain: Answered, state: 'right' | 'empty' | 'away', asked: string[] = []): LookUp {
  const answer = async (host: string): Promise<Answer> => {
    asked.push(host);
    if (state === 'away') return { kind: 'unreachable', reason: 'TIMEOUT' };
    const values = domain.records.filter((record) => record.host === host).map(({ value }) => value);
    return state === 'right' && values.length > 0 ? { kind: 'found', values } : { kind: 'nothing' };
  };
  return { txt: answer, cname: answer };
}

function check(
  org: TestOrg,
  domain: Answered,
  lookUp: LookUp,
  now: Date,
  askedAt = now,
): Promise<CheckOutcome> {
  const returnPathHost = world().config.MAIL_RETURN_PATH_HOST;
  return checkDomain(
    { database: world().database, lookUp, returnPathHost },
    { org: org.id, domain: domain.id as SendingDomainId, askedAt },
    now,
  );
}

const nextCheck = async ({ id }: Answered): Promise<Date> =>
  (
    await world().admin.query<{ at: Date }>('select next_check_at as at from sending_domains where id = $1', [
      id,
    ])
  ).rows[0]!.at;

const messages = async ({ id }: Answered): Promise<object[]> =>
  (
    await world().admin.query<{ service: string; handler: string; payload: object }>(
      `select service, handler, payload from outbox where payload ->> 'domain_id' = $1 order by id`,
      [id],
    )
  ).rows;

const forgetMessages = () => world().admin.query('delete from outbox');

test('create_sender and check_sending_domain ask for a check in the outbox, with ids and a moment only', async () => {
  const org = await world().newOrg();
  const domain = await newDomain(org, 'asks.example');
  await org.rest(`POST /v1/sending-domains/${domain.id}/check`, {});
  const message = {
    service: 'SendingDomains',
    handler: 'check',
    payload: {
      org_id: org.id,
      domain_id: domain.id,
      asked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
  };
  expect(await messages(domain)).toEqual([message, message]);
});

test('a verified domain is looked at again in a day, one that is not ever more seldom, one unreachable in minutes', async () => {
  const org = await world().newOrg();
  const domain = await newDomain(org, 'rhythm.example');
  const made = Date.now();
  const after = async (state: 'right' | 'empty' | 'away', at: number): Promise<number> => {
    await check(org, domain, lookUpOf(domain, state), new Date(made + at));
    return (await nextCheck(domain)).getTime() - made - at;
  };
  expect(await after('empty', minute)).toBe(minute);
  const atFiveHours = await after('empty', 5 * hour);
  expect(Math.abs(atFiveHours - 30 * minute)).toBeLessThan(minute);
  expect(await after('empty', 100 * hour)).toBe(6 * hour);
  expect(await after('away', 101 * hour)).toBe(5 * minute);
  expect(await after('right', 102 * hour)).toBe(24 * hour);
  expect(await after('away', 126 * hour)).toBe(5 * minute);
  // Whoever lost it is mending it, so the patience begins anew.
  expect(await after('empty', 127 * hour)).toBe(minute);
  expect(await after('empty', 137 * hour)).toBe(hour);
});

test('the sweep asks for the check that is due, once, and not before', async () => {
  const org = await world().newOrg();
  const domain = await newDomain(org, 'swept.example');
  const now = new Date();
  await check(org, domain, lookUpOf(domain, 'right'), now);
  await forgetMessages();
  const due = await nextCheck(domain);
  expect(due.getTime()).toBe(now.getTime() + 24 * hour);
  await sweep(world().database, new Date(due.getTime() - minute));
  expect(await messages(domain)).toEqual([]);
  const later = new Date(due.getTime() + minute);
  expect((await sweep(world().database, later)).rearmed).toBeGreaterThan(0);
  await sweep(world().database, later);
  const [message, ...more] = (await messages(domain)) as { payload: { asked_at: string } }[];
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    service: 'SendingDomains',
    handler: 'check',
    payload: { org_id: org.id, domain_id: domain.id },
  });
  const askedAt = new Date(message!.payload.asked_at);
  expect(askedAt).toEqual(due);
  expect(await check(org, domain, lookUpOf(domain, 'right'), later, askedAt)).toBe('unchanged');
  expect(await nextCheck(domain)).toEqual(new Date(later.getTime() + 24 * hour));
  await forgetMessages();
  await sweep(world().database, later);
  expect(await messages(domain)).toEqual([]);
});

test('a wish that a check has met asks DNS nothing, and one that came after it began does', async () => {
  const org = await world().newOrg();
  const domain = await newDomain(org, 'twice.example');
  const at = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);
  const [wished, began, wishedLater, late] = [at(1), at(2), at(3), at(4)];
  const asked: string[] = [];
  const lookUp = lookUpOf(domain, 'empty', asked);
  expect(await check(org, domain, lookUp, began, wished)).toBe('unchanged');
  const once = asked.length;
  expect(once).toBeGreaterThan(3);
  const before = await getDomain(org, domain.id);
  expect(await check(org, domain, lookUp, late, wished)).toBe('not_needed');
  expect(asked).toHaveLength(once);
  expect(await getDomain(org, domain.id)).toEqual(before);
  expect(await check(org, domain, lookUp, late, wishedLater)).toBe('unchanged');
  expect(asked).toHaveLength(2 * once);
});

test('a slow check does not write over a later one, nor over a domain that is gone', async () => {
  const org = await world().newOrg();
  const domain = await newDomain(org, 'slow.example');
  const [early, late] = [new Date(Date.now() + 1_000), new Date(Date.now() + 2_000)];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const slow: LookUp = {
    txt: () => held.then((): Answer => ({ kind: 'nothing' })),
    cname: () => held.then((): Answer => ({ kind: 'nothing' })),
  };
  const first = check(org, domain, slow, early);
  expect(await check(org, domain, lookUpOf(domain, 'right'), late)).toBe('verified');
  release();
  expect(await first).toBe('not_needed');
  expect(await getDomain(org, domain.id)).toMatchObject({ verified: true });
  const { rows } = await world().admin.query<{ id: string }>('select id from senders where org_id = $1', [
    org.id,
  ]);
  await org.rest(`DELETE /v1/senders/${rows[0]!.id}`);
  await org.rest(`DELETE /v1/sending-domains/${domain.id}`);
  expect(await check(org, domain, lookUpOf(domain, 'right'), new Date())).toBe('not_needed');
});

test('no connection is held while DNS is asked', async () => {
  const org = await world().newOrg();
  const domain = await newDomain(org, 'waits.example');
  let open: number | undefined;
  const counting: LookUp = {
    txt: async () => ({ kind: 'nothing' }),
    cname: async () => {
      const { rows } = await world().admin.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and state like 'idle in transaction%'`,
      );
      open = rows[0]!.n;
      return { kind: 'nothing' };
    },
  };
  await check(org, domain, counting, new Date());
  expect(open).toBe(0);
});

test('of a domain the sweep may see when it is due and nothing more', async () => {
  const { database } = world();
  await relayTransaction(database, (db) =>
    db.selectFrom('sending_domains').select(['org_id', 'id', 'next_check_at']).execute(),
  );
  for (const column of ['domain', 'dkim_private_key', 'ownership_token'] as const) {
    const reading = relayTransaction(database, (db) =>
      db.selectFrom('sending_domains').select(column).execute(),
    );
    await expect(reading).rejects.toMatchObject({ code: '42501' });
  }
  const changing = relayTransaction(database, (db) =>
    db.updateTable('sending_domains').set({ next_check_at: new Date() }).execute(),
  );
  await expect(changing).rejects.toMatchObject({ code: '42501' });
});
