import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readToken } from '../../src/domain/delivery/ledger/delivery-token.ts';
import { composeEmail, returnPathOf } from '../../src/domain/delivery/outgoing/email-message.ts';
import { newId, OrgId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { textOf } from '../support/text-of.ts';
import { signingKey } from './smtp-email.ts';

const keys = keyring({ ROSTRUM_SECRET: 'a secret for tests that nobody else has' });
const mail = { publicUrl: 'https://mail.rostrum.test' };
const org = OrgId.parse(newId(new Date('2026-08-01T10:00:00Z')));
const broadcastId = newId(new Date('2026-08-01T10:00:01Z'));
const dkim = { domain: 'acme.test', selector: 'r1', key: signingKey };
const parts = {
  keys,
  mail,
  org,
  delivery: 4_711,
  broadcastId,
  sender: { from: 'Acme <news@acme.test>', reply_to: 'answers@acme.test', domain: 'acme.test' },
  dkim,
  to: 'someone@mbox.test',
  subject: 'News',
  html: '<p>Hello</p>',
  text: 'Hello',
};

test('an email says who it is from, what it says and how it is signed, as it was given', () => {
  expect(composeEmail(parts)).toMatchObject({
    from: 'Acme <news@acme.test>',
    replyTo: 'answers@acme.test',
    to: 'someone@mbox.test',
    subject: 'News',
    html: '<p>Hello</p>',
    text: 'Hello',
    dkim,
  });
});

test('a bounce comes back to an address of this one message, which its token is read from', () => {
  const { returnPath } = composeEmail(parts);
  const [, token = ''] = /^b-([0-9a-z]+)@bounce\.acme\.test$/.exec(returnPath) ?? [];
  expect(readToken(keys, 'bounce', token)).toEqual({ org, delivery: 4_711, link: 0 });
  expect(returnPathOf(token, 'acme.test')).toBe(returnPath);
  expect(returnPath.split('@')[0]!.length).toBeLessThanOrEqual(64);
  const longest = composeEmail({ ...parts, delivery: Number.MAX_SAFE_INTEGER }).returnPath;
  expect(longest.split('@')[0]!.length).toBeLessThanOrEqual(64);
  expect(composeEmail({ ...parts, delivery: 4_712 }).returnPath).not.toBe(returnPath);
});

test('the Message-ID is the same at every try, of the sending domain, and names the message', () => {
  const { messageId } = composeEmail(parts);
  expect(composeEmail({ ...parts, subject: 'Another', html: '' }).messageId).toBe(messageId);
  const [token = '', domain] = messageId.split('@');
  expect(domain).toBe('acme.test');
  expect(readToken(keys, 'message', token)).toMatchObject({ delivery: 4_711 });
  expect(readToken(keys, 'bounce', token)).toBeUndefined();
});

test('one click unsubscribes, by a link of this one message that does nothing else', () => {
  const { headers } = composeEmail(parts);
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  const [, token = ''] = /^<https:\/\/mail\.rostrum\.test\/u\/([0-9a-z]+)>$/.exec(
    headers['List-Unsubscribe']!,
  )!;
  expect(readToken(keys, 'unsubscribe', token)).toMatchObject({ org, delivery: 4_711 });
  expect(readToken(keys, 'bounce', token)).toBeUndefined();
});

test('where mail can come in, unsubscribing by mail stands after the link, by a token of its own', () => {
  const { headers } = composeEmail({ ...parts, mail: { ...mail, inboundHost: 'in.rostrum.test' } });
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  const [, link, token = ''] =
    /^<(https:\/\/[^>]+)>, <mailto:u-([0-9a-z]+)@in\.rostrum\.test\?subject=unsubscribe>$/.exec(
      headers['List-Unsubscribe']!,
    ) ?? [];
  expect(`<${link}>`).toBe(composeEmail(parts).headers['List-Unsubscribe']);
  expect(token.length + 2).toBeLessThanOrEqual(64);
  expect(readToken(keys, 'unsubscribe_mail', token)).toMatchObject({ org, delivery: 4_711 });
  for (const purpose of ['unsubscribe', 'bounce', 'message'] as const) {
    expect(readToken(keys, purpose, token)).toBeUndefined();
  }
});

test('complaints are counted by broadcast, organization, kind and service: Feedback-ID as Gmail asks for it', () => {
  const feedback = composeEmail(parts).headers['Feedback-ID']!;
  const fields = feedback.split(':');
  expect(fields).toEqual([broadcastId.slice(-12), org.slice(-12), 'broadcast', 'rostrum']);
  expect(fields[3]!.length).toBeGreaterThanOrEqual(5);
  expect(fields[3]!.length).toBeLessThanOrEqual(15);
  expect(composeEmail({ ...parts, delivery: 1, to: 'b@x.test' }).headers['Feedback-ID']).toBe(feedback);
});

test('it is known for a list, and not for an automatic reply', () => {
  const { headers } = composeEmail(parts);
  expect(headers['List-ID']).toBe('<broadcasts.acme.test>');
  expect(headers['Precedence']).toBe('bulk');
  expect(Object.keys(headers)).not.toContain('Auto-Submitted');
});

test('nothing in the header but To tells who the recipient is', () => {
  const name = randomBytes(6).toString('hex');
  const {
    to,
    html,
    text,
    dkim: _,
    ...rest
  } = composeEmail({
    ...parts,
    to: `${name}@mbox.test`,
    html: `<p>${name}</p>`,
    text: name,
  });
  expect([to, html, text].every((part) => textOf(part).includes(name))).toBe(true);
  expect(JSON.stringify(rest)).not.toContain(name);
  expect(JSON.stringify(rest)).not.toContain('mbox.test');
});
