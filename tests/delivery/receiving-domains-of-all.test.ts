import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import type { Work } from '../../src/database/work.ts';
import { admit, noteDeferral } from '../../src/domain/delivery/ledger/receiving-domains.ts';
import { newRoute, useRoute } from '../support/route.ts';
import type { TestOrg } from '../support/test-org.ts';
import { advanceClock } from '../support/sending.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const start = Date.UTC(2026, 7, 1, 12);
const newDomain = (): string => `${randomUUID()}.test`;

const at = <T>(org: TestOrg, minutes: number, run: (work: Work) => Promise<T>): Promise<T> =>
  orgTransaction(world().database, org.id, 'write', (db) =>
    run({ db, org: org.id, now: new Date(start + minutes * 60_000) } as unknown as Work),
  );

const ofAll = '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume';
const ofOne = '421 4.7.28 unusual rate of mail originating from your DKIM domain [mail.example]';
const slow = (org: TestOrg, domain: string, minutes = 0, reply = ofAll, over = 'default'): Promise<void> =>
  at(org, minutes, (work) => noteDeferral(work, `a@${domain}`, reply.slice(4, 10).trim(), reply, over));

/** Who goes, and when the others are tried again, in minutes. */
async function ask(org: TestOrg, domain: string, minutes: number, ...ids: readonly number[]) {
  const who = ids.map((id) => ({ id, address: `p${id}@${domain}` }));
  const { go, later } = await at(org, minutes, (work) => admit(work, who));
  return { go: [...go], later: [...later.values()].map((when) => (when.getTime() - start) / 60_000) };
}

const newOrgs = (): Promise<TestOrg[]> => Promise.all([1, 2, 3].map(() => world().newOrg()));

test('what one organization learns about our address holds for all, also for one that is new', async () => {
  const [a, b] = await newOrgs();
  const domain = newDomain();
  await slow(a!, domain);
  expect(await ask(b!, domain, 0, 1, 2)).toEqual({ go: [], later: [1, 2] });
  const later = await world().newOrg();
  expect(await ask(later, domain, 1, 1, 2)).toEqual({ go: [1], later: [2] });
  expect(await ask(a!, domain, 1.5, 1, 2)).toEqual({ go: [], later: [2, 3] });
  expect((await ask(b!, domain, 90, 1, 2)).go).toEqual([1, 2]);
});

test('organizations that wait have turns one after another, whoever asks first', async () => {
  const orgs = await newOrgs();
  const domain = newDomain();
  await slow(orgs[0]!, domain);
  const turns: number[] = [];
  for (let minute = 1; minute <= 9; minute++) {
    for (const [place, org] of orgs.entries()) {
      const { go } = await ask(org, domain, minute, 1, 2);
      if (go.length > 0) turns.push(place);
    }
  }
  // The same one asks first every minute.
  expect([0, 1, 2].map((place) => turns.filter((turn) => turn === place).length)).toEqual([3, 3, 3]);
});

test('nobody gives way to an organization that does not come back', async () => {
  const [a, b] = await newOrgs();
  const domain = newDomain();
  await slow(a!, domain);
  expect((await ask(a!, domain, 1, 1)).go).toEqual([1]);
  await ask(b!, domain, 1.5, 1); // expected at 2
  expect((await ask(a!, domain, 2, 1)).go).toEqual([]);
  expect((await ask(a!, domain, 3, 1)).go).toEqual([1]);
});

test('no organization waits for the transaction of another', async () => {
  const [a, b] = await newOrgs();
  const domain = newDomain();
  await slow(a!, domain);
  await at(a!, 2, async (work) => {
    expect((await admit(work, [{ id: 1, address: `p@${domain}` }])).go.size).toBe(1);
    // While the first still hands over.
    expect(await ask(b!, domain, 2, 2)).toEqual({ go: [], later: [3] });
    await slow(b!, domain, 60);
  });
});

test('what is about one organization stays its own, on top of what holds for all', async () => {
  const [a, b] = await newOrgs();
  const domain = newDomain();
  await slow(a!, domain, 0, ofOne);
  expect((await ask(b!, domain, 0, 1, 2)).go).toEqual([1, 2]);
  await slow(b!, domain, 0.5);
  // Its own turn is at 1, that of all at 1.5.
  expect(await ask(a!, domain, 1, 1)).toEqual({ go: [], later: [1.5] });
  expect((await ask(a!, domain, 1.5, 1)).go).toEqual([1]);
  expect((await ask(b!, domain, 2.5, 1)).go).toEqual([1]);
});

test('a route is asked for less by itself; what is heard over one that was left is nobody’s', async () => {
  const [a, b, c] = await newOrgs();
  for (const name of ['here', 'there']) await newRoute(world(), name, { SMTP_URL: 'smtp://127.0.0.1:9' });
  await useRoute(world(), a!, 'here');
  await useRoute(world(), b!, 'here');
  const domain = newDomain();
  await slow(a!, domain, 0, ofAll, 'here');
  expect((await ask(c!, domain, 0.5, 1, 2)).go).toEqual([1, 2]);
  expect(await ask(b!, domain, 0.5, 1, 2)).toEqual({ go: [], later: [1, 2] });
  expect((await ask(b!, domain, 1, 1)).go).toEqual([1]);
  // The other has left: what it still hears of the old route does not slow the new one.
  await useRoute(world(), a!, 'there');
  await slow(a!, domain, 1, ofAll, 'here');
  expect((await ask(a!, domain, 1, 1, 2)).go).toEqual([1, 2]);
  await slow(a!, domain, 1, ofAll, 'there');
  expect((await ask(a!, domain, 1, 1, 2)).go).toEqual([]);
  expect((await ask(c!, domain, 1, 1, 2)).go).toEqual([1, 2]);
});

test('the clock of a test organization that runs ahead does not hold up others', async () => {
  const [ahead, b] = await newOrgs();
  const domain = newDomain();
  const day = 24 * 60;
  await advanceClock(ahead!, day * 60);
  await slow(ahead!, domain, day);
  expect(await ask(b!, domain, 0.5, 1)).toEqual({ go: [], later: [1] });
  expect(await ask(ahead!, domain, day + 0.5, 1)).toEqual({ go: [], later: [day + 1] });
  expect((await ask(b!, domain, 90, 1, 2)).go).toEqual([1, 2]);
});

test('an organization can neither read nor write what belongs to the installation', async () => {
  const org = await world().newOrg();
  for (const table of ['slow_domains', 'turn_requests', 'routes', 'org_routes', 'left_routes', 'audit_log']) {
    const read = at(org, 0, ({ db }) =>
      db
        .withSchema('installation')
        .selectFrom(table as never)
        .selectAll()
        .execute(),
    );
    await expect(read).rejects.toThrow('permission denied for schema installation');
  }
});
