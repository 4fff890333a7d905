import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepShares } from '../../src/domain/delivery/providers/keep-shares.ts';
import { leaseShares, returnShares } from '../../src/domain/delivery/providers/lease-shares.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { startSmtpScript } from '../support/smtp-script.ts';
import { useWorld } from '../support/world.ts';
import { anEmail, providerTo } from './smtp-email.ts';

const world = useWorld();
const [a, b, c] = ['a', 'b', 'c'].map((name) => `00000000-0000-7000-8000-00000000000${name}`);

/** A process asks for its share of ten. */
const lease = async (
  budget: string,
  process: string | undefined,
  seconds: number,
  in_use = 0,
  total = 10,
) => {
  const wanted = [{ budget, total, in_use }];
  const shares = await leaseShares(world().database, process!, wanted, new Date(seconds * 1_000));
  return shares.get(budget);
};

test('one that is alone has all, and one that comes gets its part when the other renews', async () => {
  expect(await lease('coming', a, 0)).toBe(10);
  expect(await lease('coming', b, 1)).toBe(1);
  expect(await lease('coming', a, 5)).toBe(5);
  expect(await lease('coming', b, 6)).toBe(5);
  expect(await lease('coming', c, 7)).toBe(1);
  expect(await lease('coming', a, 10)).toBe(4);
  expect(await lease('coming', b, 11)).toBe(3);
  expect(await lease('coming', c, 12)).toBe(3);
});

test('what is still in use is nobody else’s yet', async () => {
  expect(await lease('used', a, 0)).toBe(10);
  expect(await lease('used', b, 1)).toBe(1);
  expect(await lease('used', a, 5, 8)).toBe(5);
  expect(await lease('used', b, 6)).toBe(2);
  expect(await lease('used', a, 7, 5)).toBe(5);
  expect(await lease('used', b, 8)).toBe(5);
});

test('one that died leaves its part when its lease ends, one that stops at once', async () => {
  await lease('left', a, 0);
  await lease('left', b, 1);
  await lease('left', a, 2);
  expect(await lease('left', b, 21)).toBe(5);
  expect(await lease('left', b, 23)).toBe(10);
  await lease('left', a, 24);
  await lease('left', b, 25);
  expect(await lease('left', a, 26)).toBe(5);
  await returnShares(world().database, b!);
  expect(await lease('left', a, 27)).toBe(10);
});

test('each has one when there are more than the budget', async () => {
  const shares = [];
  for (const process of [a, b, c]) shares.push(await lease('few', process, 0, 0, 2));
  expect(shares).toEqual([2, 1, 1]);
  expect(await lease('few', a, 1, 0, 2)).toBe(1);
});

test('two processes that send at once have no more connections, and no more under way to Google, than one', async () => {
  const now = { open: 0, google: 0 };
  const most = { open: 0, google: 0 };
  const server = await startSmtpScript(async (stage, { to }) => {
    if (stage !== 'rcpt') return undefined;
    const isGoogle = to.endsWith('@gmail.com');
    most.open = Math.max(most.open, ++now.open);
    if (isGoogle) most.google = Math.max(most.google, ++now.google);
    await pause(30);
    now.open--;
    if (isGoogle) now.google--;
    return undefined;
  });
  const processes = [1, 2].map(() => providerTo(server.port, { connections: 8 }));
  const kept = await Promise.all(
    processes.map(({ budgets }) =>
      keepShares(
        world().database,
        systemClock,
        async () => budgets,
        () => undefined,
      ),
    ),
  );
  const parts = async () =>
    (
      await world().admin.query(
        `select budget, array_agg(share::int order by share) as shares from installation.budget_shares
         where budget in ('connections', 'google') group by budget order by budget`,
      )
    ).rows;
  await expect.poll(parts, { timeout: 20_000 }).toEqual([
    { budget: 'connections', shares: [4, 4] },
    { budget: 'google', shares: [2, 3] },
  ]);
  const answers = await Promise.all(
    processes.flatMap((provider) =>
      Array.from({ length: 40 }, (_, n) =>
        provider.send(anEmail({ to: `p${n}@${n % 2 === 0 ? 'gmail.com' : `d${n}.test`}` })),
      ),
    ),
  );
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['sent']));
  expect(most.open).toBeLessThanOrEqual(8);
  expect(most.google).toBeLessThanOrEqual(5);
  for (const provider of processes) await provider.close();
  for (const one of kept) await one.close();
  await server.close();
  expect(await parts()).toEqual([]);
});
