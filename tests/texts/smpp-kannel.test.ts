import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startKannel, type Kannel } from '../support/kannel.ts';
import { startSmsc, type Smsc, type Submitted } from '../support/smsc.ts';
import { bodies } from './long-bodies.ts';
import { aText, newClient } from './smpp-setting.ts';

// The simulator is judged by a client that has met many SMSCs; then both clients are compared by what reaches it.
let smsc: Smsc;
let kannel: Kannel;
beforeAll(async () => {
  smsc = await startSmsc();
  kannel = await startKannel({ port: smsc.port, password: 'pw' });
});
afterAll(async () => {
  await kannel?.stop();
  await smsc?.stop();
});

test('Kannel binds to the simulator, sends through it and believes its receipts', async () => {
  await vi.waitFor(() => expect(smsc.binds).toHaveLength(1), 20_000);
  await kannel.send('+15550001111', '+15559990000', 'Hello from Kannel');
  await vi.waitFor(() => expect(smsc.texts().map(({ body }) => body)).toContain('Hello from Kannel'), 20_000);
  await vi.waitFor(() => expect(kannel.receipts).toEqual([1]), 20_000);
  smsc.fate = () => ({ stat: 'UNDELIV', err: '001' });
  await kannel.send('+15550001111', '+15559990000', 'Nobody there');
  await vi.waitFor(() => expect(kannel.receipts).toEqual([1, 2]), 20_000);
  smsc.fate = () => ({ stat: 'DELIVRD' });
});

test('Kannel takes in what the simulator delivers', async () => {
  await smsc.deliver('15559990000', '15550001111', 'STOP');
  await vi.waitFor(
    () => expect(kannel.received).toEqual([{ from: '+15559990000', to: '+15550001111', body: 'STOP' }]),
    20_000,
  );
});

test('Kannel sends again what the simulator puts off', async () => {
  let throttled = 0;
  smsc.behave = ({ body }) =>
    body === 'Later' && throttled++ === 0 ? { status: 'ESME_RTHROTTLED' } : undefined;
  await kannel.send('+15550001111', '+15559990000', 'Later');
  await vi.waitFor(() => expect(smsc.texts().map(({ body }) => body)).toContain('Later'), 20_000);
  expect(throttled).toBe(2);
  smsc.behave = () => undefined;
});

const shape = ({ dataCoding, esmClass, body, part }: Submitted) => ({
  dataCoding,
  // Its lowest bits ask to store and forward, which is what an SMSC does when nobody asks.
  esmClass: esmClass & ~0x03,
  body,
  part: part && { total: part.total, at: part.at },
});

// Kannel cuts through a picture where a part ends; we end the part before it.
const { 'pictures at the edges': _, ...comparable } = bodies;

test.each(Object.entries(comparable))('%s goes out from us as it does from Kannel', async (_name, body) => {
  smsc.submitted.length = 0;
  await kannel.send('+15550001111', '+15559990000', body);
  await vi.waitFor(() => expect(smsc.texts()).toHaveLength(1), 20_000);
  const theirs = smsc.submitted.splice(0).map(shape);
  const client = newClient(smsc.url);
  await client.send(aText(body));
  expect(smsc.submitted.map(shape)).toEqual(theirs);
});
