import { afterAll, beforeEach, expect, test } from 'vitest';
import { expectBalanced, outcomesOf } from '../support/ledger.ts';
import { advanceClock, ended, settled } from '../support/sending.ts';
import { startSmsc, type Smsc } from '../support/smsc.ts';
import { useWorld } from '../support/world.ts';
import { idle } from '../support/idle.ts';
import { newStage, sendText, totalsOf, type TextStage } from './sending-setting.ts';
import { isOptedOut } from './text-setting.ts';

// Its receipts come before it has even said that it took the text: as early as they can.
let smsc: Smsc = await startSmsc({ hasty: true });
afterAll(() => smsc.stop());
const world = useWorld({ engine: true, env: { SMS_PROVIDER: 'smpp', SMPP_URL: smsc.url } });
beforeEach(() => {
  smsc.behave = () => undefined;
  smsc.fate = () => ({ stat: 'DELIVRD' });
  smsc.submitted.length = 0;
});

const receivers = (): string[] => smsc.texts().map(({ to }) => `+${to}`);
const phonesOf = ({ people }: TextStage): string[] => [...people.keys()].toSorted();

test('SND-005 a text of several parts goes to everybody whole, and its receipts find it', async () => {
  const stage = await newStage(world(), 30);
  const body = `Grüße {€}! ${'It starts in an hour. '.repeat(12)}`;
  smsc.fate = ({ to }) => (Number(to.slice(-5)) < 20 ? { stat: 'DELIVRD' } : { stat: 'UNDELIV', err: '001' });
  const id = await sendText(stage, { message_body: body });
  expect(await ended(stage.org, id)).toMatchObject({ status: 'sent', counts: { sent: 30 } });
  expect(receivers().toSorted()).toEqual(phonesOf(stage));
  expect(new Set(smsc.texts().map((text) => text.body))).toEqual(new Set([body]));
  await expect
    .poll(() => totalsOf(stage.org, id), { timeout: 60_000 })
    .toMatchObject({ sent: 30, delivered: 20, bounced: 10 });
  await expectBalanced(world(), id);
}, 240_000);

test('SND-009 a STOP over SMPP holds for the next text', async () => {
  const stage = await newStage(world(), 3);
  await ended(stage.org, await sendText(stage));
  const [phone, person] = [...stage.people][1]!;
  await smsc.deliver(phone.slice(1), stage.number.slice(1), 'STOP');
  expect(await isOptedOut(stage.org, person)).toBe(true);
  smsc.submitted.length = 0;
  const next = await sendText(stage);
  await ended(stage.org, next);
  expect(receivers().toSorted()).toEqual(phonesOf(stage).filter((one) => one !== phone));
  expect(await outcomesOf(world(), next)).toEqual({ sent: 2, 'skipped opted_out': 1 });
});

test('SND-001 sessions that break leave texts uncertain, and nobody gets one twice', async () => {
  const stage = await newStage(world(), 120);
  let taken = 0;
  smsc.behave = () => (++taken % 25 === 0 && taken < 80 ? 'drop' : { delayMs: 5 });
  const id = await sendText(stage);
  await settled(world(), stage.org);
  // What found no session bound comes again, as often as it takes.
  for (let round = 0; round < 20; round++) {
    const { pending = 0 } = await outcomesOf(world(), id);
    if (round >= 3 && pending === 0) break;
    await advanceClock(stage.org, 60);
    await settled(world(), stage.org);
  }
  await ended(stage.org, id);
  await idle(world());
  const got = receivers();
  expect(new Set(got).size).toBe(got.length);
  const outcomes = await outcomesOf(world(), id);
  expect(Object.keys(outcomes).toSorted()).toEqual(['sent', 'uncertain no_answer']);
  expect(outcomes['uncertain no_answer']).toBeGreaterThan(0);
  expect(outcomes['uncertain no_answer']).toBeLessThanOrEqual(3 * 10); // a window each time
  expect(got.length).toBeGreaterThanOrEqual(outcomes['sent']!);
  expect(got.length).toBeLessThanOrEqual(120);
  await expectBalanced(world(), id);
}, 300_000);

test('while the SMSC is away nothing is lost; it goes when it is back', async () => {
  const { port } = smsc;
  await smsc.stop();
  const stage = await newStage(world(), 5);
  const id = await sendText(stage);
  await idle(world());
  expect(Object.keys(await outcomesOf(world(), id))).not.toContain('sent');
  smsc = await startSmsc({ port });
  await expect.poll(() => smsc.binds.length, { timeout: 40_000 }).toBeGreaterThan(0);
  await expect
    .poll(
      async () => {
        await advanceClock(stage.org, 30);
        return (await outcomesOf(world(), id))['sent'];
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toBe(5);
  await ended(stage.org, id);
  expect(receivers().toSorted()).toEqual(phonesOf(stage));
}, 240_000);

test('trouble with the SMSC is logged without names and passwords', () => {
  const lines = world().logLines.filter((line) => line.includes('trouble with the SMSC'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join()).not.toMatch(/pw|rostrum:|127\.0\.0\.1|\+44/);
});
