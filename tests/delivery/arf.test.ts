import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { tokenFor } from '../../src/domain/delivery/ledger/delivery-token.ts';
import { findMessage } from '../../src/domain/delivery/ledger/find-message.ts';
import { readArf } from '../../src/domain/delivery/inbound/read-arf.ts';
import { readInbound } from '../../src/domain/delivery/inbound/read-inbound.ts';
import { OrgId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { feedback, forwarded, type Parts } from './arf-samples.ts';
import { sampleOf } from './dsn-samples.ts';

const keys = keyring({ ROSTRUM_SECRET: 'a secret for tests that nobody else has' });
const message = { org: OrgId.parse(randomUUID()), delivery: 77, link: 0 };
const token = tokenFor(keys, 'bounce', message);
const messageToken = tokenFor(keys, 'message', message);
const to = 'ada@mailbox.test';
const about = { returnPath: `b-${token}@bounce.sender.test`, messageId: `${messageToken}@sender.test`, to };

async function read(raw: string) {
  const feedbackRead = readArf((await readInbound(Buffer.from(raw)))!);
  return (
    feedbackRead && { complaint: feedbackRead.complaint, message: findMessage(keys, feedbackRead.named) }
  );
}

const ways: [string, Parts][] = [
  ['the whole message', {}],
  ['its header alone', { original: 'text/rfc822-headers' }],
  ['names taken out', { mailFrom: false, redacted: true }],
  ['nothing of the message but its sender', { original: 'none' }],
];

test.each(ways)('a complaint with %s names its message', async (_, parts) => {
  expect(await read(feedback(about, parts))).toEqual({ complaint: true, message });
});

test('a complaint that has neither Message-ID nor sender names nothing', async () => {
  const bare = { original: 'none', mailFrom: false } as const;
  expect(await read(feedback(about, bare))).toEqual({ complaint: true, message: undefined });
});

test.each([
  ['abuse', true],
  ['Abuse (reported by hand)', true],
  ['fraud', true],
  ['opt-out', true],
  ['not-spam', false],
  ['auth-failure', false],
  ['virus', false],
  ['', false],
])('feedback of the type "%s" is a complaint: %s', async (type, complaint) => {
  expect((await read(feedback(about, { type })))?.complaint).toBe(complaint);
});

test('a message that is forwarded whole is a complaint', async () => {
  expect(await read(forwarded(about))).toEqual({ complaint: true, message });
});

test('a bounce and a plain message are none', async () => {
  expect(await read(sampleOf('postfix', about))).toBeUndefined();
  expect(await read(`Subject: Stop it\nIn-Reply-To: <${about.messageId}>\n\nI complain.`)).toBeUndefined();
});

test('a token that was not made here, or for something else, names nothing', async () => {
  const other = keyring({ ROSTRUM_SECRET: 'another secret that somebody else has' });
  for (const forged of [
    tokenFor(other, 'bounce', message),
    tokenFor(keys, 'unsubscribe', message),
    tokenFor(keys, 'open', message),
    `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
    'z'.repeat(59),
    '',
  ]) {
    const forgery = { returnPath: `b-${forged}@x.test`, messageId: `${forged}@x.test`, to };
    expect((await read(feedback(forgery)))?.message).toBeUndefined();
  }
});

test('our message is found among others, however its id was folded', () => {
  const others = '<a@b.test> <0100019-xyz@email.amazonses.com>';
  expect(findMessage(keys, [undefined, `${others} <${about.messageId.toUpperCase()}>`])).toEqual(message);
  expect(findMessage(keys, [`"<${about.returnPath}>"`])).toEqual(message);
  expect(findMessage(keys, [`x${about.messageId}`, others])).toBeUndefined();
});

test('only so many guesses are looked at in one message', () => {
  const wrong = `<${'a'.repeat(59)}@x.test> `;
  expect(findMessage(keys, [wrong.repeat(19) + about.messageId])).toEqual(message);
  expect(findMessage(keys, [wrong.repeat(1_000) + about.messageId])).toBeUndefined();
});
