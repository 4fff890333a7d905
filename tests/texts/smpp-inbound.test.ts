import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { aText, newClient, newSmsc } from './smpp-setting.ts';

const laterStatus = 0x64;

test.each(['parameters', 'words'] as const)('a receipt is read by its %s', async (receipts) => {
  const smsc = await newSmsc({ receipts });
  const client = newClient(smsc.url);
  const ends = [
    { stat: 'DELIVRD', news: { outcome: 'delivered' } },
    { stat: 'UNDELIV', err: '001', news: { outcome: 'failed', bounceClass: 'hard', code: 'UNDELIV 001' } },
    { stat: 'UNDELIV', err: '011', news: { outcome: 'failed', bounceClass: 'soft', code: 'UNDELIV 011' } },
    { stat: 'EXPIRED', news: { outcome: 'failed', bounceClass: 'soft', code: 'EXPIRED 000' } },
    { stat: 'REJECTD', err: '099', news: { outcome: 'failed', bounceClass: 'policy', code: 'REJECTD 099' } },
  ];
  for (const { news, ...end } of ends) {
    smsc.fate = () => end;
    const handed = await client.send(aText('Hello'));
    const { receipt } = handed as { receipt?: string };
    await vi.waitFor(() => expect(client.receipts.at(-1)).toEqual({ receipt, news }), 20_000);
  }
  expect(client.texts).toEqual([]);
});

test('a receipt of what is under way is taken and says nothing', async () => {
  const smsc = await newSmsc();
  smsc.fate = () => ({ stat: 'ACCEPTD' });
  const client = newClient(smsc.url);
  await client.send(aText('Hello'));
  await vi.waitFor(() => expect(smsc.answers).toEqual([0]), 20_000);
  expect(client.receipts).toEqual([]);
});

test('a text that comes in has both numbers as we keep them', async () => {
  const smsc = await newSmsc();
  const client = newClient(smsc.url);
  await client.send(aText('Hello'));
  await smsc.deliver('15559990000', '15550001111', 'STOP');
  await smsc.deliver('+15559990001', '0015550001111', 'Grüße {€}', { source_addr_ton: 0 });
  await smsc.deliver('15559990002', '15550001111', 'стоп', { data_coding: 8 });
  await smsc.deliver('15559990003', '15550001111', 'Déjà', { data_coding: 3 });
  expect(client.texts).toEqual([
    { from: '+15559990000', to: '+15550001111', body: 'STOP' },
    { from: '+15559990001', to: '+15550001111', body: 'Grüße {€}' },
    { from: '+15559990002', to: '+15550001111', body: 'стоп' },
    { from: '+15559990003', to: '+15550001111', body: 'Déjà' },
  ]);
});

test('what is no text from a number is taken and left alone', async () => {
  const smsc = await newSmsc();
  const client = newClient(smsc.url);
  await client.send(aText('Hello'));
  await smsc.deliver('Bank', '15550001111', 'STOP', { source_addr_ton: 5 });
  await smsc.deliver('12345', '15550001111', 'STOP');
  await smsc.deliver('15559990000', '15550001111', '', {
    short_message: Buffer.from([1, 2]),
    data_coding: 4,
  });
  await smsc.deliver('15559990000', '15550001111', '', {
    short_message: Buffer.concat([Buffer.from([5, 0, 3, 7, 2, 2]), Buffer.from('stop')]),
    esm_class: 0x40,
  });
  expect(client.texts).toEqual([]);
  expect(smsc.answers.filter((status) => status !== 0)).toEqual([]);
});

test('a text is acknowledged only once it was taken in; till then it comes again', async () => {
  const smsc = await newSmsc();
  let tries = 0;
  const gate = Promise.withResolvers<void>();
  const client = newClient(smsc.url, {
    onText: async () => {
      if (++tries < 3) throw new TypeError('the database is away');
      await gate.promise;
    },
  });
  await client.send(aText('Hello'));
  let taken = false;
  const delivering = smsc.deliver('15559990000', '15550001111', 'STOP').then(() => (taken = true));
  await vi.waitFor(() => expect(tries).toBe(3), 20_000);
  await pause(100);
  expect(taken).toBe(false);
  expect(smsc.answers.filter((status) => status !== 0)).toEqual([laterStatus, laterStatus]);
  gate.resolve();
  await delivering;
  expect(client.troubles).toContain('what was delivered could not be taken: TypeError');
});

test('a text that was under way when the session broke comes again over the next', async () => {
  const smsc = await newSmsc();
  let tries = 0;
  const client = newClient(smsc.url, {
    onText: async () => {
      if (++tries === 1) await new Promise(() => undefined);
    },
  });
  await client.send(aText('Hello'));
  const delivering = smsc.deliver('15559990000', '15550001111', 'STOP');
  await vi.waitFor(() => expect(tries).toBe(1), 20_000);
  smsc.dropSessions();
  await delivering;
  expect(tries).toBe(2);
});

test('receipts are taken a few at a time, and a stop does not wait for them', async () => {
  const smsc = await newSmsc();
  const gate = Promise.withResolvers<void>();
  let [open, all] = [0, 0];
  const client = newClient(smsc.url, {
    onReceipt: async () => {
      open++;
      await gate.promise;
      all++;
    },
  });
  await Promise.all(Array.from({ length: 30 }, () => client.send(aText('Hello'))));
  await vi.waitFor(() => expect(open).toBe(8), 20_000);
  await smsc.deliver('15559990000', '15550001111', 'STOP');
  expect(client.texts).toHaveLength(1);
  expect(open).toBe(8);
  gate.resolve();
  await vi.waitFor(() => expect(all).toBe(30), 20_000);
});
