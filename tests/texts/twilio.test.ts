import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/main/free-ports.ts';
import { twilioProvider, type TwilioOptions } from '../../src/domain/delivery/providers/twilio/send.ts';
import { startTwilio, type Twilio } from '../support/twilio.ts';
import { aText } from './smpp-setting.ts';

let twilio: Twilio;
beforeAll(async () => {
  twilio = await startTwilio();
});
afterAll(() => twilio.stop());
beforeEach(() => {
  twilio.messages.length = 0;
  twilio.behave = () => undefined;
});

function newProvider(options: Partial<TwilioOptions> = {}) {
  const { accountSid, authToken, baseUrl } = twilio;
  const publicUrl = 'https://rostrum.test';
  const provider = twilioProvider({
    accountSid,
    authToken,
    baseUrl,
    publicUrl,
    timeoutMs: 10_000,
    ...options,
  });
  onTestFinished(() => provider.close());
  return provider;
}

test('a text is posted in the documented form and named by its sid', async () => {
  const handed = await newProvider().send({ ...aText('50 % off & more: “Grüße” 😀'), token: 'abc' });
  expect(twilio.messages).toEqual([
    {
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      To: '+15559990000',
      From: '+15550001111',
      Body: '50 % off & more: “Grüße” 😀',
      StatusCallback: 'https://rostrum.test/webhooks/twilio/status/abc#rc=5&rp=all',
    },
  ]);
  expect(handed).toEqual({ outcome: 'sent', reply: '201 queued', receipt: twilio.messages[0]!.sid });
});

test('texts share connections', async () => {
  const provider = newProvider();
  const before = twilio.connections();
  for (let at = 0; at < 5; at++) await provider.send(aText('Hello'));
  expect(twilio.connections() - before).toBe(1);
});

test.each([
  { answer: { code: 21610 }, outcome: 'refused', code: '21610', optedOut: true },
  { answer: { code: 21211 }, outcome: 'refused', code: '21211' },
  { answer: { code: 21614 }, outcome: 'refused', code: '21614' },
  { answer: { code: 21408 }, outcome: 'refused', code: '21408' },
  { answer: { code: 21606 }, outcome: 'refused', code: '21606' },
  { answer: { code: 21611 }, outcome: 'deferred', code: '21611' },
  { answer: { code: 20429, status: 429 }, outcome: 'deferred', code: '20429' },
  { answer: { status: 429 }, outcome: 'deferred' },
  { answer: { status: 500, body: '<html>oops' }, outcome: 'deferred' },
  { answer: { status: 503 }, outcome: 'deferred' },
  { answer: { status: 302, location: 'http://127.0.0.1:1/' }, outcome: 'deferred' },
  { answer: { status: 502 }, outcome: 'uncertain' },
  { answer: { status: 504 }, outcome: 'uncertain' },
  { answer: { status: 400, body: 'no JSON' }, outcome: 'refused' },
  { answer: { code: 20403, status: 403 }, outcome: 'unreached' },
  { answer: { status: 201, body: 'cut of' }, outcome: 'sent' },
])('answered with $answer it is $outcome', async ({ answer, outcome, code, optedOut }) => {
  twilio.behave = () => answer;
  const handed = await newProvider().send(aText('Hello'));
  expect(handed).toMatchObject({ outcome, ...(code !== undefined && { code }) });
  expect('optedOut' in handed && handed.optedOut).toBe(optedOut ?? false);
});

test('what Twilio says of a number is kept without the number', async () => {
  twilio.behave = () => ({ code: 21211 });
  const { reply } = await newProvider().send(aText('Hello'));
  expect(reply).toBe('400 21211 The message to … cannot be sent');
});

test('a wrong password is not held against anybody', async () => {
  expect(await newProvider({ authToken: 'wrong' }).send(aText('Hello'))).toMatchObject({
    outcome: 'unreached',
    reply: '401 20003 Authenticate',
  });
});

test('a line that is cut, or silent, after the text was written leaves it uncertain', async () => {
  const provider = newProvider({ timeoutMs: 300 });
  twilio.behave = () => 'reset';
  expect((await provider.send(aText('Hello'))).outcome).toBe('uncertain');
  twilio.behave = () => 'silent';
  expect(await provider.send(aText('Hello'))).toEqual({
    outcome: 'uncertain',
    reply: 'no answer came in time',
  });
});

test('nobody there is unreached', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  expect(await newProvider({ baseUrl }).send(aText('Hello'))).toEqual({
    outcome: 'unreached',
    reply: 'ECONNREFUSED',
  });
  const nowhere = newProvider({ baseUrl: 'https://twilio.invalid', timeoutMs: 1_000 });
  expect((await nowhere.send(aText('Hello'))).outcome).toBe('unreached');
});

test('a line that opens and is never secured carried nothing', async () => {
  const mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void mute.close());
  const { port } = mute.address() as { port: number };
  const provider = newProvider({ baseUrl: `https://127.0.0.1:${port}`, timeoutMs: 300 });
  expect((await provider.send(aText('Hello'))).outcome).toBe('unreached');
});

test('organizations share the connections: a few texts do not wait for all of another', async () => {
  const provider = newProvider({ atOnce: 2 });
  const begun = Promise.withResolvers<void>();
  twilio.behave = async () => {
    begun.resolve();
    await pause(20);
    return undefined;
  };
  const done: string[] = [];
  const send = (whose: string, count: number) => {
    const { org } = aText('');
    return Array.from({ length: count }, async () => {
      const { outcome } = await provider.send({ ...aText('Hello'), org });
      done.push(`${whose} ${outcome}`);
    });
  };
  const sending = send('much', 40);
  await begun.promise;
  sending.push(...send('little', 4));
  await Promise.all(sending);
  expect(done.filter((one) => one === 'little sent')).toHaveLength(4);
  expect(done.lastIndexOf('little sent')).toBeLessThan(15);
});

test('a text that gets no connection in time was not sent, and one under way is waited for', async () => {
  const provider = newProvider({ atOnce: 1, timeoutMs: 1_000 });
  const begun = Promise.withResolvers<void>();
  twilio.behave = async () => {
    begun.resolve();
    await pause(700);
    return undefined;
  };
  const first = provider.send(aText('Hello'));
  await begun.promise;
  expect(await provider.send(aText('Hello'))).toEqual({
    outcome: 'unreached',
    reply: 'no connection became free in time',
  });
  await provider.close();
  expect((await first).outcome).toBe('sent');
});

test('texts and passwords do not go in clear over a network', () => {
  for (const baseUrl of ['http://api.twilio.com', 'http://10.0.0.1', 'ftp://127.0.0.1']) {
    expect(() => newProvider({ baseUrl })).toThrow('over https only');
  }
});
