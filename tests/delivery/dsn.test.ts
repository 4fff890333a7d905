import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bounceClass } from '../../src/domain/delivery/ledger/bounce-class.ts';
import { readArf } from '../../src/domain/delivery/inbound/read-arf.ts';
import { readDsn } from '../../src/domain/delivery/inbound/read-dsn.ts';
import { readInbound } from '../../src/domain/delivery/inbound/read-inbound.ts';
import { readReply } from '../../src/domain/delivery/inbound/read-reply.ts';
import { tries } from '../support/volume.ts';
import { sampleOf, samples } from './dsn-samples.ts';

const about = { returnPath: 'b-x@bounce.sender.test', messageId: 'x@sender.test', to: 'ada@receiver.test' };

async function read(raw: string) {
  const inbound = await readInbound(Buffer.from(raw));
  return inbound && readDsn(inbound);
}

const expected: [keyof typeof samples, object | undefined, string?][] = [
  ['postfix', { action: 'failed', code: '5.1.1' }, 'hard'],
  ['postfixFull', { action: 'failed', code: '5.2.2', reply: '552 5.2.2 mailbox full' }, 'soft'],
  ['postfixExpired', { action: 'failed', code: '4.4.1' }, 'soft'],
  ['postfixDelayed', { action: 'delayed', code: '4.2.2', reply: '452 4.2.2 mailbox full, try later' }],
  ['postfixDelivered', { action: 'delivered', code: '2.0.0' }],
  ['postfixPolicy', { action: 'failed', code: '5.7.515' }, 'policy'],
  [
    'exim',
    { action: 'failed', code: '5.0.0', reply: expect.stringContaining('rejected: User unknown') },
    'hard',
  ],
  ['exchange', { action: 'failed', code: '5.1.10', reply: expect.stringMatching(/^550 5\.1\.10/) }, 'hard'],
  ['gmail', { action: 'failed', code: '5.1.1', reply: expect.stringMatching(/^550-5\.1\.1/) }, 'hard'],
  ['sendmail', { action: 'failed', code: '5.7.1', reply: '550 5.7.1 Message refused' }, 'policy'],
  ['qmail', { action: 'failed', code: '5.1.1', reply: expect.stringMatching(/^550 5\.1\.1/) }, 'hard'],
  ['oldExim', { action: 'failed', code: '554', reply: '554 Message looks like spam' }, 'policy'],
  ['qmailSilent', undefined],
  ['vacation', undefined],
];

test.each(expected)('a report as %s writes it is read', async (name, fields, judged) => {
  const report = await read(sampleOf(name, about));
  expect([report]).toMatchObject([fields]);
  expect(report?.action === 'failed' ? bounceClass(report) : undefined).toBe(judged);
});

test('every sample has its expectation', () => {
  expect(expected.map(([name]) => name).toSorted()).toEqual(Object.keys(samples).toSorted());
});

test('an alias of which one reader got the message is good', async () => {
  const both = sampleOf('postfix', about).replace(
    /\r\n\r\n--4F1\.1783418400\/mx\.sender\.test\r\nContent-Description: Undelivered/,
    '\r\n\r\nFinal-Recipient: rfc822; other@receiver.test\r\nAction: delivered\r\nStatus: 2.1.5$&',
  );
  expect(await read(both)).toMatchObject({ action: 'delivered' });
});

test.each([
  ['a person who writes of an error', 'Subject: Help\n\nI get error: 550 5.1.1 when I write to you.'],
  ['a report without an action', 'Content-Type: message/delivery-status\n\nStatus: 5.1.1\n'],
  ['an empty message', ''],
  ['prose with a status only in what was sent', samples.qmailSilent],
])('%s is no report', async (_, raw) => {
  expect(await read(raw.trimStart())).toBeUndefined();
});

/** Bytes of a real report, cut, doubled and spoiled: nearer to trouble than anything random. */
const spoiled = fc
  .tuple(
    fc.constantFrom(...Object.keys(samples)),
    fc.array(fc.tuple(fc.nat(6_000), fc.nat(40), fc.string({ unit: 'binary', maxLength: 20 })), {
      maxLength: 12,
    }),
  )
  .map(([name, changes]) =>
    changes.reduce(
      (text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length),
      sampleOf(name as keyof typeof samples, about),
    ),
  );

test('whatever comes is read without complaint', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(spoiled, fc.string({ unit: 'binary', maxLength: 2_000 })), async (raw) => {
      const inbound = await readInbound(Buffer.from(raw));
      if (inbound === undefined) return;
      const report = readDsn(inbound);
      expect(['failed', 'delayed', 'delivered', undefined]).toContain(report?.action);
      expect((report?.reply ?? '').length).toBeLessThanOrEqual(1_000);
      readArf(inbound);
      readReply(inbound);
    }),
    tries(4_000),
  );
});

test('what a report says is found behind a long introduction, and not beyond all measure', async () => {
  const long = (lines: number) =>
    sampleOf('gmail', about).replace('iVBORw0KGgo=', 'iVBORw0KGgo='.repeat(6).concat('\r\n').repeat(lines));
  expect(await read(long(1_000))).toMatchObject({ action: 'failed', code: '5.1.1' });
  expect(await read(long(3_000))).toBeUndefined();
});

test.each([
  ['dashes', `Subject: returned mail\n\n${'-'.repeat(900_000)}`],
  ['errors', `Subject: returned mail\n\n${'error '.repeat(150_000)}`],
  ['colons', `Subject: returned mail\n\n${'error: '.repeat(120_000)}`],
  ['digits', `Subject: returned mail\n\n${'said: 5'.repeat(120_000)}`],
  ['empty lines', `Content-Type: message/delivery-status\n\n${'\n \n'.repeat(250_000)}`],
  ['folds', `X-Long: ${'\n a'.repeat(60_000)}\n\nreturned mail`],
  ['parts', `Content-Type: multipart/report; boundary=x\n\n${'--x\n\n'.repeat(100_000)}`],
  ['headers without end', 'x: y\n'.repeat(180_000)],
  ['ids', `In-Reply-To: ${'<a@b> '.repeat(40_000)}\n\n`],
])('a megabyte of %s takes no more than a moment', async (_, raw) => {
  const began = process.cpuUsage();
  const inbound = await readInbound(Buffer.from(raw));
  if (inbound !== undefined) {
    readDsn(inbound);
    readArf(inbound);
    readReply(inbound);
  }
  expect(process.cpuUsage(began).user).toBeLessThan(4_000_000);
});
