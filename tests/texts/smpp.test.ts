import { expect, test, vi } from 'vitest';
import { freePort } from '../../src/main/free-ports.ts';
import { startSmsc } from '../support/smsc.ts';
import { aText, newClient, newSmsc } from './smpp-setting.ts';

test('a text is handed over as the network wants it and named by its receipt', async () => {
  const smsc = await newSmsc();
  const client = newClient(smsc.url);
  const handed = await client.send(aText('Hello there'));
  const [submitted] = smsc.submitted;
  expect(handed).toEqual({ outcome: 'sent', reply: 'ESME_ROK', receipt: submitted!.id });
  expect(submitted).toMatchObject({
    from: '15550001111',
    to: '15559990000',
    body: 'Hello there',
    dataCoding: 0,
    esmClass: 0,
    asksReceipt: true,
    part: undefined,
  });
  expect(smsc.binds).toMatchObject([{ system_id: 'rostrum', interface_version: 0x34 }]);
  await vi.waitFor(
    () => expect(client.receipts).toEqual([{ receipt: submitted!.id, news: { outcome: 'delivered' } }]),
    20_000,
  );
});

test.each([
  ['ESME_RTHROTTLED', 'deferred'],
  ['ESME_RMSGQFUL', 'deferred'],
  ['ESME_RSYSERR', 'deferred'],
  ['ESME_RX_T_APPN', 'deferred'],
  ['ESME_RINVDSTADR', 'refused'],
  ['ESME_RINVSRCADR', 'refused'],
  ['ESME_RX_P_APPN', 'refused'],
  ['ESME_RX_R_APPN', 'refused'],
])('answered with %s it is %s', async (status, outcome) => {
  const smsc = await newSmsc();
  smsc.behave = () => ({ status });
  const client = newClient(smsc.url);
  expect(await client.send(aText('Hello'))).toEqual({
    outcome,
    code: status,
    reply: expect.stringMatching(new RegExp(`^${status} \\(0x000000..\\)$`)),
  });
});

test('whom the other side does not know to be bound was not heard, and binds again', async () => {
  const smsc = await newSmsc();
  smsc.behave = () => ({ status: 'ESME_RINVBNDSTS' });
  const client = newClient(smsc.url);
  expect((await client.send(aText('Hello'))).outcome).toBe('unreached');
  smsc.behave = () => undefined;
  await vi.waitFor(() => expect(smsc.binds).toHaveLength(2), 20_000);
  expect((await client.send(aText('Hello'))).outcome).toBe('sent');
});

test('without an answer nobody knows what became of it', async () => {
  const smsc = await newSmsc();
  smsc.behave = () => 'silent';
  const client = newClient(smsc.url, { answerMs: 300 });
  expect(await client.send(aText('Hello'))).toEqual({ outcome: 'uncertain', reply: 'no answer came' });
});

test('a session lost on the way leaves every text in it uncertain, and the next goes through a new one', async () => {
  const smsc = await newSmsc();
  const client = newClient(smsc.url, { answerMs: 120_000 }); // no time-out tells it
  await client.send(aText('First'));
  smsc.behave = ({ body }) => (body === 'Drop' ? 'drop' : body === 'Wait' ? 'silent' : undefined);
  const waiting = [1, 2, 3].map(() => client.send(aText('Wait')));
  const dropped = client.send(aText('Drop'));
  for (const one of [...waiting, dropped]) expect((await one).outcome).toBe('uncertain');
  expect((await client.send(aText('Last'))).outcome).toBe('sent');
  expect(smsc.binds).toHaveLength(2);
  expect(smsc.texts().map(({ body }) => body)).toEqual(['First', 'Last']);
});

test('nobody there, or nobody who lets us in, is unreached until there is', async () => {
  const port = await freePort();
  const client = newClient(`smpp://rostrum:pw@127.0.0.1:${port}`, { bindWaitMs: 200 });
  expect(await client.send(aText('Hello'))).toEqual({ outcome: 'unreached', reply: 'no session is bound' });
  const smsc = await newSmsc({ port });
  await vi.waitFor(async () => expect((await client.send(aText('Hello'))).outcome).toBe('sent'), 20_000);
  expect(smsc.submitted).toHaveLength(1);

  const locked = await newSmsc({ password: 'p@ss:word' });
  const stranger = newClient(locked.url.replace('p%40ss', 'wrong'), { bindWaitMs: 200 });
  expect((await stranger.send(aText('Hello'))).outcome).toBe('unreached');
  await vi.waitFor(() => expect(stranger.troubles).toContain('the bind was refused: 14'), 20_000);
  expect(stranger.troubles.join()).not.toContain('wrong');
  expect((await newClient(locked.url).send(aText('Hello'))).outcome).toBe('sent');
});

test('a line that is dead without saying so is given up', async () => {
  const smsc = await newSmsc();
  const client = newClient(smsc.url, { enquireMs: 100, answerMs: 2_000 });
  await client.send(aText('Hello'));
  await vi.waitFor(() => expect(smsc.enquiries).toBeGreaterThan(3), 20_000);
  expect(smsc.binds).toHaveLength(1); // answered, it stays
  smsc.answersEnquiries = false;
  await vi.waitFor(() => expect(smsc.binds.length).toBeGreaterThan(1), 20_000);
});

test('no more than a window of texts is without an answer, and all of them go', async () => {
  const smsc = await newSmsc();
  let [open, most] = [0, 0];
  smsc.behave = () => {
    most = Math.max(most, ++open);
    setTimeout(() => open--, 40);
    return { delayMs: 60 };
  };
  const client = newClient(smsc.url, { window: 4 });
  const handed = await Promise.all(Array.from({ length: 30 }, (_, at) => client.send(aText(`Text ${at}`))));
  expect(handed.every(({ outcome }) => outcome === 'sent')).toBe(true);
  expect(new Set(smsc.texts().map(({ body }) => body)).size).toBe(30);
  expect(most).toBe(4);
});

test('who waits for a place in vain handed nothing over', async () => {
  const smsc = await newSmsc();
  let asked = 0;
  smsc.behave = () => (asked++, 'silent');
  const client = newClient(smsc.url, { window: 1, placeMs: 100, answerMs: 500 });
  const [first, second] = await Promise.all([client.send(aText('First')), client.send(aText('Second'))]);
  expect([first!.outcome, second!.outcome]).toEqual(['uncertain', 'unreached']);
  expect(asked).toBe(1);
});

test('it takes no longer than it may', async () => {
  const smsc = await newSmsc();
  smsc.behave = () => ({ delayMs: 800 });
  const client = newClient(smsc.url, { sendMs: 2_000 });
  expect((await client.send(aText('Hello there. '.repeat(60)))).outcome).toBe('uncertain');
  expect(smsc.submitted.length).toBeLessThan(4);
});

test('closing waits for what is under way and takes its leave', async () => {
  const smsc = await startSmsc();
  smsc.behave = () => ({ delayMs: 300 });
  const client = newClient(smsc.url);
  const sending = client.send(aText('Hello'));
  await vi.waitFor(() => expect(smsc.submitted).toHaveLength(1), 20_000);
  await client.close();
  expect((await sending).outcome).toBe('sent');
  expect((await client.send(aText('Too late'))).outcome).toBe('unreached');
  await smsc.stop();
});
