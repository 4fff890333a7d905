import type { KyselyPlugin } from 'kysely';
import { describe, expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import type { Work } from '../../src/database/work.ts';
import { asksForLess } from '../../src/domain/delivery/ledger/asks-for-less.ts';
import { admit, noteDeferral, pauseDomain } from '../../src/domain/delivery/ledger/receiving-domains.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const start = Date.UTC(2026, 7, 1, 12);
const after = (minutes: number): Date => new Date(start + minutes * 60_000);

let queries = 0;
const count: KyselyPlugin = {
  transformQuery: ({ node }) => {
    queries++;
    return node;
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

const at = <T>(org: TestOrg, minutes: number, run: (work: Work) => Promise<T>): Promise<T> =>
  orgTransaction(world().database, org.id, 'write', (db) => {
    const work = { db: db.withPlugin(count), org: org.id, now: after(minutes) };
    return run(work as unknown as Work);
  });

/** About the organization: its signature. */
const slowReply =
  '421 4.7.28 unusual rate of unsolicited mail originating from your DKIM domain [mail.example]';

const recipients = (domain: string, ...ids: readonly number[]) =>
  ids.map((id) => ({ id, address: `p${id}@${domain}` }));

/** What was answered, times in minutes. */
async function ask(org: TestOrg, minutes: number, who: Parameters<typeof admit>[1]) {
  const { go, later } = await at(org, minutes, (work) => admit(work, who));
  return {
    go: [...go],
    later: Object.fromEntries([...later].map(([id, when]) => [id, (when.getTime() - start) / 60_000])),
  };
}

test('everybody goes where nothing is slow, for one query', async () => {
  const org = await world().newOrg();
  await at(org, 0, (work) => noteDeferral(work, 'a@slow.test', '4.7.28', slowReply, 'default'));
  const many = Array.from({ length: 200 }, (_, id) => ({ id, address: `p${id}@d${id}.test` }));
  queries = 0;
  expect((await ask(org, 1, many)).go).toHaveLength(200);
  expect(queries).toBe(1);
  queries = 0;
  expect(await ask(org, 1, [])).toEqual({ go: [], later: {} });
  expect(queries).toBe(0);
});

test('a domain that asked for less gets one a minute, the others their minutes after, by number', async () => {
  const org = await world().newOrg();
  await at(org, 0, (work) => noteDeferral(work, 'a@Slow.TEST', '4.7.0', slowReply, 'default'));
  const who = [
    ...recipients('slow.test', 7, 5),
    ...recipients('SLOW.test', 6),
    ...recipients('fast.test', 8),
  ];
  expect(await ask(org, 0, who)).toEqual({ go: [8], later: { 5: 1, 6: 2, 7: 3 } });
  expect(await ask(org, 1, who)).toEqual({ go: [5, 8], later: { 6: 2, 7: 3 } });
  expect(await ask(org, 1.5, who.slice(0, 1))).toEqual({ go: [], later: { 7: 2 } });
  expect(await ask(org, 2, who.slice(0, 1))).toEqual({ go: [7], later: {} });
});

test('after 90 minutes everybody goes, and nobody is put off beyond that', async () => {
  const org = await world().newOrg();
  await at(org, 0, (work) => noteDeferral(work, 'a@slow.test', '4.7.28', slowReply, 'default'));
  const { go, later } = await ask(
    org,
    80,
    recipients('slow.test', ...Array.from({ length: 30 }, (_, id) => id)),
  );
  expect(go).toEqual([0]);
  expect(Object.values(later)).toEqual([
    81,
    82,
    83,
    84,
    85,
    86,
    87,
    88,
    89,
    ...Array.from({ length: 20 }, () => 90),
  ]);
  expect((await ask(org, 89, recipients('slow.test', 1, 2))).go).toEqual([1]);
  expect((await ask(org, 90, recipients('slow.test', 1, 2, 3))).go).toEqual([1, 2, 3]);
});

test('who asks again for less is heard again, and a window full of such answers writes once', async () => {
  const org = await world().newOrg();
  const slow = (minutes: number) =>
    at(org, minutes, (work) => noteDeferral(work, 'a@slow.test', '4.7.28', slowReply, 'default'));
  const version = async (): Promise<string> =>
    (await world().admin.query('select xmin from receiving_domains where org_id = $1', [org.id])).rows[0]
      .xmin;
  await slow(0);
  const written = await version();
  await slow(1);
  expect(await version()).toBe(written);
  await slow(60);
  expect(await version()).not.toBe(written);
  expect((await ask(org, 149, recipients('slow.test', 1, 2))).go).toEqual([1]);
  expect((await ask(org, 150, recipients('slow.test', 1, 2))).go).toEqual([1, 2]);
});

test('a domain that refused us gets nothing for an hour, then everything', async () => {
  const org = await world().newOrg();
  await at(org, 0, (work) => pauseDomain(work, 'a@Strict.test', 'refused by policy 5.7.515'));
  expect(await ask(org, 1, recipients('strict.test', 1, 2))).toEqual({ go: [], later: { 1: 60, 2: 60 } });
  expect(await ask(org, 60, recipients('strict.test', 1, 2))).toEqual({ go: [1, 2], later: {} });
});

test('pausing a slow domain holds it, and slowing a paused one does not let it go', async () => {
  const org = await world().newOrg();
  await at(org, 0, (work) => noteDeferral(work, 'a@both.test', '4.7.0', slowReply, 'default'));
  await at(org, 10, (work) => pauseDomain(work, 'a@both.test', 'refused'));
  await at(org, 30, (work) => noteDeferral(work, 'a@both.test', '4.7.0', slowReply, 'default'));
  expect(await ask(org, 31, recipients('both.test', 1, 2))).toEqual({ go: [], later: { 1: 70, 2: 71 } });
  expect((await ask(org, 70, recipients('both.test', 1, 2))).go).toEqual([1]);
});

test('two senders do not take the same minute, and neither waits for the other', async () => {
  const org = await world().newOrg();
  await at(org, 0, (work) => noteDeferral(work, 'a@slow.test', '4.7.28', slowReply, 'default'));
  await at(org, 2, async (work) => {
    expect((await admit(work, recipients('slow.test', 1))).go.size).toBe(1);
    // While the first still hands over.
    expect(await ask(org, 2, recipients('slow.test', 2, 3))).toEqual({ go: [], later: { 2: 3, 3: 4 } });
  });
  expect(await ask(org, 2, recipients('slow.test', 2))).toEqual({ go: [], later: { 2: 3 } });
});

test('one organization does not slow another', async () => {
  const [ours, theirs] = [await world().newOrg(), await world().newOrg()];
  await at(ours, 0, (work) => pauseDomain(work, 'a@shared.test', 'refused'));
  expect((await ask(theirs, 0, recipients('shared.test', 1))).go).toEqual([1]);
});

describe('a deferral', () => {
  test.each([
    ['4.7.0', '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints'],
    ['4.7.28', '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP'],
    ['4.7.23', '421 4.7.23 The sending IP address does not have a PTR record setup'],
    ['4.7.650', '451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited'],
    ['4.7.652', '451 4.7.652 The mail server [192.0.2.1] has exceeded the maximum number of connections.'],
    ['4.7.500', '451 4.7.500 Server busy. Please try again later'],
    ['421', '421 Too many concurrent connections, closing'],
    [
      '421',
      '421 RP-001 The mail server IP connecting to Outlook.com server has exceeded the rate limit allowed.',
    ],
    ['4.3.2', '452 4.3.2 Connection rate limit exceeded'],
    [undefined, '451 Message temporarily deferred'],
  ])('that says %s %s asks the installation for less', (code, reply) => {
    expect(asksForLess(code, reply)).toBe('installation');
  });

  test.each([
    ['4.7.28', slowReply],
    ['4.7.28', '421 4.7.28 unusual rate of unsolicited mail containing one of your URL domains'],
    ['4.7.27', '421 4.7.27 Your email has been rate limited because SPF authentication did not pass'],
    ['4.7.32', "421 4.7.32 rate limited because the From: header isn't aligned with SPF or DKIM"],
    ['4.7.0', '421 4.7.0 This message is suspicious due to its content'],
    ['4.7.1', '451 4.7.1 Try again later'],
  ])('that says %s %s asks the organization', (code, reply) => {
    expect(asksForLess(code, reply)).toBe('organization');
  });

  test.each([
    ['4.7.1', '451 4.7.1 Greylisted, try again in 300 seconds'],
    [
      '4.7.1',
      '450 4.7.1 <a@x.test>: Recipient address rejected: Greylisting in effect, please come back later',
    ],
    ['4.7.0', '451 4.7.0 Gray-listed'],
    ['4.2.0', '450 4.2.0 Recipient address rejected: postgrey'],
    ['4.2.2', '452 4.2.2 Mailbox full'],
    ['4.2.1', '450 4.2.1 The user you are trying to contact is receiving mail too quickly'],
    ['4.4.1', '451 4.4.1 No answer from host'],
    ['4.3.0', '451 4.3.0 Temporary system problem'],
    ['421', '421 Service not available, shutting down'],
  ])('that says %s %s does not', async (code, reply) => {
    const org = await world().newOrg();
    await at(org, 0, (work) => noteDeferral(work, 'a@mbox.test', code, reply, 'default'));
    expect((await ask(org, 0, recipients('mbox.test', 1, 2))).go).toEqual([1, 2]);
  });
});
