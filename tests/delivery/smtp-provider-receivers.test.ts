import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { measured } from '../support/measured.ts';
import { isLong } from '../support/volume.ts';
import { startSmtpScript } from '../support/smtp-script.ts';
import { anEmail, providerTo } from './smtp-email.ts';

/** Sends to all of them together, and answers how many at most were under way at a time. No less than expected. */
async function mostAtOnce(addresses: readonly string[], expected: number): Promise<number> {
  let now = 0;
  let most = 0;
  const all = Promise.withResolvers<void>();
  const server = await startSmtpScript(async (stage) => {
    if (stage === 'rcpt') most = Math.max(most, ++now);
    if (now === expected) all.resolve();
    if (stage === 'message') {
      await all.promise; // however long it takes all that may to arrive
      await pause(250); // and for one too many, should it come
      now--;
    }
    return undefined;
  });
  const provider = providerTo(server.port, { connections: 30 });
  const answers = await Promise.all(addresses.map((to) => provider.send(anEmail({ to }))));
  await provider.close();
  await server.close();
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['sent']));
  expect(server.received).toHaveLength(addresses.length);
  return most;
}

/** So many that all places are taken more than once. */
const each = (domains: readonly string[], some: number) =>
  Array.from({ length: isLong ? 40 : some }, (_, n) => `person${n}@${domains[n % domains.length]}`);

test.each([
  [['gmail.com', 'GoogleMail.com']],
  [['outlook.com', 'hotmail.co.uk', 'live.fr', 'MSN.com']],
  [['yahoo.com', 'yahoo.co.jp', 'ymail.com', 'aol.com']],
])('%j are one receiver and get five at a time', async (domains) => {
  expect(await mostAtOnce(each(domains, 14), 5)).toBe(5);
});

test.each([
  [['mbox.test', 'MBOX.test']],
  [['mygmail.com']],
  [['yahoo.mbox.test']],
  [['bücher.test', 'xn--bcher-kva.test']],
])('%j get ten at a time', async (domains) => {
  expect(await mostAtOnce(each(domains, 24), 10)).toBe(10);
});

test('ten at a time go to one receiver also where answers come soon and the next goes right behind', async () => {
  let isHeld = false;
  let now = 0;
  let most = 0;
  const server = await startSmtpScript(async (stage) => {
    if (isHeld && stage === 'rcpt') most = Math.max(most, ++now);
    if (isHeld && stage === 'message') {
      await pause(500);
      now--;
    }
    return undefined;
  });
  const provider = providerTo(server.port, { connections: 30 });
  const send = (to: string) => provider.send(anEmail({ to }));
  await Promise.all(each(['mbox.test'], 24).map(send));
  isHeld = true;
  await Promise.all(each(['mbox.test'], 24).map(send));
  await provider.close();
  await server.close();
  expect(most).toBe(10);
});

test('receivers do not wait for each other', async () => {
  expect(await mostAtOnce(each(['one.test', 'two.test', 'gmail.com'], 39), 25)).toBe(25);
});

test('who waits too long for a receiver is let go, and nothing was handed over', measured, async () => {
  const server = await startSmtpScript((stage, { to }) =>
    stage === 'rcpt' && to.endsWith('@gmail.com') ? 'keep silent' : undefined,
  );
  const provider = providerTo(server.port, { connections: 20, giveUpMs: 3_000 });
  const start = performance.now();
  const slow = Array.from({ length: 30 }, (_, n) => provider.send(anEmail({ to: `p${n}@gmail.com` })));
  expect(await provider.send(anEmail())).toMatchObject({ outcome: 'sent' });
  const answers = await Promise.all(slow);
  // Five at a time, one after another, would be 18 seconds.
  expect(performance.now() - start).toBeLessThan(12_000);
  expect(answers.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 30 }, () => 'unreached'));
  expect(await provider.send(anEmail({ to: 'next@mbox.test' }))).toMatchObject({ outcome: 'sent' });
  await provider.close();
  await server.close();
});
