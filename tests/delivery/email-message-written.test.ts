import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import type { OutgoingEmail } from '../../src/domain/delivery/outgoing/outgoing.ts';
import { signMessage } from '../../src/domain/delivery/providers/smtp/sign-message.ts';
import { writeMessage } from '../../src/domain/delivery/providers/smtp/write-message.ts';
import { tries } from '../support/volume.ts';
import { anEmail, verifyingKey } from './smtp-email.ts';

const record = `v=DKIM1; k=rsa; p=${verifyingKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

const written = (email: OutgoingEmail): Promise<Buffer> => signMessage(writeMessage(email), email.dkim);

async function verify(message: Buffer): Promise<string | undefined> {
  const { results } = await dkimVerify(message, { resolver: async () => [[record]] });
  return results[0]?.status.result;
}

const lf = (text: string | undefined): string => (text ?? '').replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '');

test.each<[string, string]>([
  ['short and plain', 'Hello'],
  ['empty', ''],
  ['letters beyond ASCII', 'Grüße aus München: é à ø “quoted” — 🎈'],
  ['another script', 'Здравствуйте, это письмо написано по-русски.\n'.repeat(40)],
  ['one very long line', `${'a long line without an end '.repeat(400)}.`],
  ['one long word', 'x'.repeat(5_000)],
  ['lines that begin with dots', '.\n..\n.hidden\nFrom here\n.'],
  ['spaces at the ends of lines', 'one  \n two\t\n\n\n  three'],
  ['every kind of line break', 'a\nb\r\nc\rd'],
  ['equals signs', 'a=b=3D=\n=20'],
])('a body that is %s arrives as it was written, and its signature holds', async (_, body) => {
  const message = await written(anEmail({ text: body, html: `<p>${body}</p>` }));
  const read = await PostalMime.parse(message);
  expect(lf(read.text)).toBe(lf(body));
  expect(lf(read.html)).toBe(lf(`<p>${body}</p>`));
  expect(await verify(message)).toBe('pass');
});

test('whatever is written is mail: ASCII, short lines, read back as it was, signed', async () => {
  const body = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({
      unit: fc.constantFrom(' ', '\t', '\n', '\r', '.', '=', '-', 'é', '字', 'a'),
      maxLength: 300,
    }),
  );
  const line = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    .map((text) => text.replaceAll(/\p{Cc}/gu, ''));
  await fc.assert(
    fc.asyncProperty(body, body, line, async (text, html, subject) => {
      const message = await written(anEmail({ text, html, subject }));
      const raw = message.toString('latin1');
      expect(raw).toMatch(/^[\t\r\n -~]*$/);
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998);
      const read = await PostalMime.parse(message);
      expect(lf(read.text)).toBe(lf(text));
      expect(lf(read.html)).toBe(lf(html));
      expect(await verify(message)).toBe('pass');
    }),
    tries(1_500),
  );
});

test('copies of one letter differ only in what is their own, and each is read back and verified', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 120 }),
    fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '.', '=', 'é', '字', 'a'), maxLength: 120 }),
    fc.webUrl(),
  );
  const fixed = fc.array(value, { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fixed,
      fixed,
      fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 4 }),
      async (text, html, copies) => {
        for (const own of copies) {
          const message = await written(anEmail({ text: { fixed: text, own }, html: { fixed: html, own } }));
          const raw = message.toString('latin1');
          expect(raw).toMatch(/^[\t\r\n -~]*$/);
          expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
          const read = await PostalMime.parse(message);
          const around = (pieces: string[]) => pieces[0]! + own[0] + pieces[1]! + own[1] + pieces[2]!;
          expect(lf(read.text)).toBe(lf(around(text)));
          expect(lf(read.html)).toBe(lf(around(html)));
          expect(await verify(message)).toBe('pass');
        }
      },
    ),
    tries(150),
  );
});

describe('the header', () => {
  test('has each field once, and the parts are text first, then html', async () => {
    const raw = (await written(anEmail())).toString();
    const [header = '', body = ''] = raw.split(/\r\n\r\n([^]*)/);
    const names = header.split(/\r\n(?![ \t])/).map((field) => field.split(':')[0]!);
    expect(new Set(names)).toEqual(
      new Set([
        'Content-Type',
        'Date',
        'DKIM-Signature',
        'Feedback-ID',
        'From',
        'List-ID',
        'List-Unsubscribe',
        'List-Unsubscribe-Post',
        'Message-ID',
        'MIME-Version',
        'Reply-To',
        'Subject',
        'To',
      ]),
    );
    expect(names).toHaveLength(new Set(names).size);
    expect(body.match(/^Content-Type: \S+;/gm)).toEqual([
      'Content-Type: text/plain;',
      'Content-Type: text/html;',
    ]);
    expect(raw).toContain('\r\nList-Unsubscribe: <https://rostrum.test/u/token>\r\n');
    expect(raw).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
    expect(raw).toContain('\r\nMIME-Version: 1.0\r\n');
  });

  test.each([
    ['Ærø News <news@acme.test>', 'Ærø News'],
    ['"News, \\"daily\\" <x@evil.test>" <news@acme.test>', 'News, "daily" <x@evil.test>'],
    [
      '字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字 <news@acme.test>',
      '字'.repeat(40),
    ],
    ["O'Neil & Sons <news@acme.test>", "O'Neil & Sons"],
  ])('shows %s as it is meant, from one address', async (from, name) => {
    const read = await PostalMime.parse(await written(anEmail({ from })));
    expect(read.from).toEqual({ name, address: 'news@acme.test' });
  });

  test.each([
    ['a subject in lines\r\nBcc: x@evil.test', 'a subject in lines Bcc: x@evil.test'],
    ['Größe: „über alles“ 🎈 '.repeat(8).trim(), 'Größe: „über alles“ 🎈 '.repeat(8).trim()],
  ])('carries the subject %j', async (subject, shown) => {
    const read = await PostalMime.parse(await written(anEmail({ subject })));
    expect(read.subject).toBe(shown);
    expect(read.bcc).toBeUndefined();
  });

  test('goes to one address, whatever that looks like, and to its name in DNS', async () => {
    for (const [to, sent] of [
      ['a,b@mbox.test', '"a,b"@mbox.test'],
      ['a@evil.test,b@mbox.test', '"a@evil.test,b"@mbox.test'],
      ['Ann@BÜCHER.test', 'Ann@xn--bcher-kva.test'],
    ]) {
      const { envelope, header } = writeMessage(anEmail({ to: to! }));
      expect(envelope).toEqual({ from: 'b-token@bounce.acme.test', to: sent });
      const read = await PostalMime.parse(`${header}\r\n`);
      expect(read.to).toHaveLength(1);
    }
  });
});

describe('the signature', () => {
  const signed = [
    'from to subject date message-id reply-to mime-version content-type',
    'list-unsubscribe list-unsubscribe-post list-id feedback-id',
  ].flatMap((names) => names.split(' '));

  test('is over everything that matters, each field once more than it is there', async () => {
    const raw = (await written(anEmail())).toString();
    const h = /\bh=([^;]+);/.exec(raw)![1]!.replaceAll(/\s/g, '').split(':');
    expect(h.toSorted()).toEqual([...signed, ...signed].toSorted());
  });

  test.each([...signed, 'body'])('breaks when %s is changed', async (name) => {
    const raw = (await written(anEmail())).toString();
    const changed =
      name === 'body'
        ? raw.replace('<p>Hello</p>', '<p>Hallo</p>')
        : raw.replace(new RegExp(`^(${name}:.*)`, 'im'), '$1x');
    expect(changed).not.toBe(raw);
    expect(await verify(Buffer.from(raw))).toBe('pass');
    expect(await verify(Buffer.from(changed))).not.toBe('pass');
  });

  test.each(signed)('breaks when another %s is put before it', async (name) => {
    const raw = (await written(anEmail())).toString();
    expect(await verify(Buffer.from(`${name}: <x@evil.test>\r\n${raw}`))).not.toBe('pass');
  });

  test('holds through a relay that adds its own fields and folds lines anew', async () => {
    const raw = (await written(anEmail())).toString();
    const relayed = `Received: from a by b;\r\n\tSat, 1 Aug 2026 10:00:00 +0000\r\n${raw.replace('Subject: A subject', 'Subject:  A\r\n  subject ')}`;
    expect(await verify(Buffer.from(relayed))).toBe('pass');
  });

  test.each([
    ['ed25519', generateKeyPairSync('ed25519').privateKey],
    ['ec', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
    ['a public key', verifyingKey],
  ])('is not left out for a key that cannot make it: %s', async (_, key) => {
    const email = anEmail({ dkim: { domain: 'acme.test', selector: 'r1', key } });
    await expect(written(email)).rejects.toThrow(/DKIM|key/i);
  });
});
