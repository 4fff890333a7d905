import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInbound } from '../../src/domain/delivery/inbound/parse-inbound.ts';
import { readArf } from '../../src/domain/delivery/inbound/read-arf.ts';
import { readDsn } from '../../src/domain/delivery/inbound/read-dsn.ts';
import { readInbound } from '../../src/domain/delivery/inbound/read-inbound.ts';
import { readReply } from '../../src/domain/delivery/inbound/read-reply.ts';
import { slimMessage } from '../../src/domain/delivery/inbound/slim-message.ts';
import { measured } from '../support/measured.ts';
import { isLong, tries } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { mail, newSent, stateOf, useMailbox } from './back-in.ts';
import { sampleOf, samples } from './dsn-samples.ts';

const about = { returnPath: 'b-x@bounce.sender.test', messageId: 'x@sender.test', to: 'ada@receiver.test' };
const world = useWorld();
const mailbox = useMailbox(world);
const names = Object.keys(samples) as (keyof typeof samples)[];

/** Pieces that parsers were seen to choke on, each as long as somebody would make it. */
const nasty = fc
  .tuple(
    fc.constantFrom(
      'a:',
      'a;',
      '<',
      '"',
      '(',
      '\\',
      '=?utf-8?q?',
      'a@b,',
      '=\n',
      '\r\n ',
      '\n\n',
      '--x\n',
      '&#',
      '\0',
    ),
    fc.nat(30_000),
  )
  .map(([piece, times]) => piece.repeat(times));
const field = fc
  .tuple(
    fc.constantFrom('To', 'From', 'Cc', 'Reply-To', 'Subject', 'References', 'Content-Type', 'Received', 'X'),
    nasty,
  )
  .map(([name, value]) => `${name}: ${value}\r\n`);
const spoiled = fc
  .tuple(
    fc.constantFrom(...names),
    fc.array(field, { maxLength: 3 }),
    fc.array(
      fc.tuple(fc.nat(6_000), fc.nat(40), fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 20 }))),
      {
        maxLength: 4,
      },
    ),
  )
  .map(([name, fields, changes]) =>
    changes.reduce(
      (text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length),
      fields.join('') + sampleOf(name, about),
    ),
  );

/** Milliseconds of processor time, because a machine may be busy with others. */
async function cost(raw: string): Promise<number> {
  const began = process.threadCpuUsage();
  const parsed = await parseInbound(slimMessage(Buffer.from(raw, 'latin1')));
  if (parsed !== null) {
    const inbound = { ...parsed, header: () => [] };
    readDsn(inbound);
    readArf(inbound);
    readReply(inbound);
  }
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000;
}

test('of twenty thousand spoiled messages none takes a tenth of a second', measured, async () => {
  // A thread that has just begun is slow for a while.
  for (let warm = 0; warm < 50; warm++)
    await parseInbound(slimMessage(Buffer.from(sampleOf('postfix', about))));
  await fc.assert(
    fc.asyncProperty(spoiled, async (raw) => {
      // A collection of garbage may fall into one try, and hardly into three.
      let best = await cost(raw);
      for (let again = 0; best >= 100 && again < 2; again++) best = Math.min(best, await cost(raw));
      expect(best).toBeLessThan(100);
    }),
    tries(isLong ? 20_000 : 3_000),
  );
});

test(
  'eight mails that would keep a reader busy for twenty seconds hold up no bounce of another',
  measured,
  async () => {
    const sent = await newSent(world(), await world().newOrg());
    const began = process.cpuUsage();
    const trap = `To: ${'a:'.repeat(61_000)}\nSubject: x\n\nx`;
    const mails = Array.from({ length: 8 }, () =>
      mail(mailbox().port, 'replies@bounce.rostrum.test', trap, 'm@evil.test'),
    );
    const bounced = await mail(mailbox().port, sent.returnPath, sampleOf('postfix', sent));
    expect([...(await Promise.all(mails)), bounced]).toEqual(
      Array.from({ length: 9 }, () => expect.stringMatching(/^250 /)),
    );
    expect((await stateOf(world(), sent)).row.bounce_class).toBe('hard');
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
  },
);

test('a list of addresses that is built to be read for seconds is not read', async () => {
  const raw = Buffer.from(`To: ${'a:'.repeat(61_000)}\r\nSubject: returned mail\r\n\r\nx`);
  expect(slimMessage(raw).toString()).toBe('Subject: returned mail\r\n\r\nx');
});

test('a field is cut, never the ones behind it', async () => {
  const inbound = await readInbound(
    Buffer.from(`References: ${`<${'a'.repeat(100)}@b.test>\r\n `.repeat(800)}\r\nSubject: kept\r\n\r\ntext`),
  );
  expect(inbound!.header('subject')).toEqual(['kept']);
  expect(inbound!.header('references')[0]!.length).toBeLessThan(9_000);
  expect(inbound!.text.trim()).toBe('text');
});

test('while long messages are read, this thread goes on', measured, async () => {
  const long = Buffer.from(
    `Content-Type: multipart/report; boundary=x\n\n${'--x\nA: b\n\nc\n'.repeat(1_200)}`,
  );
  const spent = async (work: () => Promise<unknown>): Promise<number> => {
    await work(); // what is new is slow
    const began = process.threadCpuUsage();
    for (let time = 0; time < 30; time++) await work();
    return process.threadCpuUsage(began).user;
  };
  const inPlace = await spent(() => parseInbound(slimMessage(long)));
  expect(await spent(() => readInbound(long))).toBeLessThan(inPlace / 3);
});
