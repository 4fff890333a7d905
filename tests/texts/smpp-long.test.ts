import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, test, vi } from 'vitest';
import { textParts } from '../../src/domain/delivery/providers/smpp/parts.ts';
import { aText, newClient, newSmsc } from './smpp-setting.ts';
import { bodies } from './long-bodies.ts';

test.each(Object.entries(bodies))(
  '%s arrives as written, in as many parts as the plan counts',
  async (_name, body) => {
    const smsc = await newSmsc();
    const client = newClient(smsc.url);
    const handed = await client.send(aText(body));
    const { segmentsCount, encodingName } = new SegmentedMessage(body);
    expect(smsc.texts()).toEqual([{ from: '15550001111', to: '15559990000', body, parts: segmentsCount }]);
    const coding = encodingName === 'GSM-7' ? 0 : 8;
    expect(smsc.submitted.every(({ dataCoding }) => dataCoding === coding)).toBe(true);
    // The last part is asked about, and stands for the whole.
    expect(smsc.submitted.map(({ asksReceipt }) => asksReceipt)).toEqual(
      smsc.submitted.map((_, at) => at === segmentsCount - 1),
    );
    expect(handed).toMatchObject({ outcome: 'sent', receipt: smsc.submitted.at(-1)!.id });
  },
);

test('a letter that is longer than a message is cut all the same', () => {
  const body = `A${'\u0301'.repeat(200)} and ${'👩‍👩‍👧‍👦'.repeat(40)}`;
  const parts = textParts(body, 1);
  for (const { bytes } of parts) expect(bytes.length).toBeLessThanOrEqual(140);
  const whole = Buffer.concat(parts.map(({ bytes }) => bytes.subarray(6)));
  expect(whole.swap16().toString('utf16le')).toBe(body);
});

describe('a long text', () => {
  const long = 'Hello there. '.repeat(30); // three parts

  test('whose first part is put off is put off whole', async () => {
    const smsc = await newSmsc();
    smsc.behave = () => ({ status: 'ESME_RTHROTTLED' });
    expect((await newClient(smsc.url).send(aText(long))).outcome).toBe('deferred');
    expect(smsc.submitted).toEqual([]);
  });

  test('of which a later part is put off goes on with that part', async () => {
    const smsc = await newSmsc();
    let throttled = 0;
    smsc.behave = ({ part }) =>
      part!.at === 2 && throttled++ < 2 ? { status: 'ESME_RTHROTTLED' } : undefined;
    expect((await newClient(smsc.url).send(aText(long))).outcome).toBe('sent');
    expect(smsc.submitted.map(({ part }) => part!.at)).toEqual([1, 2, 3]);
    expect(smsc.texts()).toMatchObject([{ body: long, parts: 3 }]);
  });

  test('of which a part is put off for too long is uncertain, because the first are with them', async () => {
    const smsc = await newSmsc();
    smsc.behave = ({ part }) => (part!.at === 2 ? { status: 'ESME_RTHROTTLED' } : undefined);
    const client = newClient(smsc.url, { sendMs: 2_000 });
    expect(await client.send(aText(long))).toMatchObject({
      outcome: 'uncertain',
      reply: expect.stringMatching(/^after part 1 of 3: /),
    });
  });

  test('of which a part is lost is uncertain, of which one is refused is refused', async () => {
    const smsc = await newSmsc();
    const client = newClient(smsc.url);
    smsc.behave = ({ part }) => (part!.at === 3 ? 'drop' : undefined);
    expect((await client.send(aText(long))).outcome).toBe('uncertain');
    smsc.behave = ({ part }) => (part!.at === 2 ? { status: 'ESME_RINVDSTADR' } : undefined);
    await vi.waitFor(
      async () =>
        expect(await client.send(aText(long))).toMatchObject({ outcome: 'refused', code: 'ESME_RINVDSTADR' }),
      20_000,
    );
  });

  test('is not taken for another that goes at the same time', async () => {
    const smsc = await newSmsc();
    smsc.behave = () => ({ delayMs: Math.random() * 20 });
    const client = newClient(smsc.url);
    const texts = Array.from({ length: 20 }, (_, at) => `${at} ${long}`);
    await Promise.all(texts.map((body) => client.send(aText(body))));
    expect(new Set(smsc.texts().map(({ body }) => body))).toEqual(new Set(texts));
  });
});
