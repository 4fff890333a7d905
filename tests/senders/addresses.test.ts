import { expect, test } from 'vitest';
import { toDomainName, withParents } from '../../src/domain/senders/domain-name.ts';
import { delayOfNextCheck } from '../../src/domain/senders/next-check.ts';
import { senderInput } from '../../src/domain/senders/sender-input.ts';
import { displayFrom } from '../../src/domain/senders/sender.ts';

test.each([
  ['example.com', 'example.com'],
  ['MAIL.Example.COM', 'mail.example.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
  ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
  ['a-b.c3.io', 'a-b.c3.io'],
])('the domain %s is known as %s', (text, name) => {
  expect(toDomainName(text)).toBe(name);
});

test.each([
  '',
  'localhost',
  'com',
  '127.0.0.1',
  '0x7f.1',
  '1.2.3',
  '[::1]',
  '::1',
  'example.com.',
  '.example.com',
  'example..com',
  '-a.com',
  'a-.com',
  'a_b.com',
  'exa mple.com',
  'example.com/path',
  'example.com:25',
  'example.com?x',
  'ex%61mple.com',
  'a@example.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(100)}com`,
  'a\u200db.com',
])('%j is no domain that mail comes from', (text) => {
  expect(toDomainName(text)).toBeUndefined();
});

test('names above a domain end with those of two labels, and a deep one leaves out its middle', () => {
  expect(withParents('a.b.c.example.com')).toEqual([
    'a.b.c.example.com',
    'b.c.example.com',
    'c.example.com',
    'example.com',
  ]);
  expect(withParents('example.com')).toEqual(['example.com']);
  const deep = withParents('l.k.j.i.h.g.f.e.d.c.b.a');
  expect(deep).toHaveLength(7);
  expect(deep.slice(0, 2)).toEqual(['l.k.j.i.h.g.f.e.d.c.b.a', 'g.f.e.d.c.b.a']);
  expect(deep.at(-1)).toBe('b.a');
});

test.each([
  [' News@Example.COM ', 'news@example.com'],
  ["o'neil+tag=1@münchen.de", "o'neil+tag=1@xn--mnchen-3ya.de"],
])('the address %j is taken as %s', (text, address) => {
  expect(senderInput.email.parse(text)).toBe(address);
});

test.each([
  'news',
  '@example.com',
  'news@',
  'news@localhost',
  'a b@example.com',
  '"a b"@example.com',
  'a@b@example.com',
  '.a@example.com',
  'a..b@example.com',
  'a.@example.com',
  'Ada <ada@example.com>',
  'ada@example.com, bob@example.com',
  'ada@example.com\r\nBcc: x@example.com',
  'é@example.com',
  '\u212aate@example.com', // the sign for Kelvin, whose lower case is the letter k
  `${'a'.repeat(65)}@example.com`,
  'news@[127.0.0.1]',
])('%j is no address to send from', (text) => {
  expect(senderInput.email.safeParse(text).success).toBe(false);
});

test.each(['', '  ', 'Ada\r\nBcc: x', 'Ada\u0000', 'Ada\u202eznuk', '\u2066Ada', 'a'.repeat(101)])(
  '%j is no name for a header',
  (name) => {
    expect(senderInput.name.safeParse(name).success).toBe(false);
  },
);

test.each([
  ['Ada', 'Ada <a@b.co>'],
  ['Ada Lovelace', 'Ada Lovelace <a@b.co>'],
  ['Zoë 🎉', 'Zoë 🎉 <a@b.co>'],
  ['Acme, Inc.', '"Acme, Inc." <a@b.co>'],
  ['Ada "Countess" L', String.raw`"Ada \"Countess\" L" <a@b.co>`],
  ['back\\slash', String.raw`"back\\slash" <a@b.co>`],
  ['x@y.co', '"x@y.co" <a@b.co>'],
  ['evil <x@y.co>', '"evil <x@y.co>" <a@b.co>'],
  ['=?utf-8?q?evil?=', '"=?utf-8?q?evil?=" <a@b.co>'],
  ['two  spaces', '"two  spaces" <a@b.co>'],
])('the name %j is shown as %s', (name, from) => {
  expect(displayFrom(name, 'a@b.co')).toBe(from);
});

const minute = 60_000;
const hour = 60 * minute;
test.each([
  ['a new domain that lacks a record', ['found', 'missing'], 0, minute],
  ['one that lacks it for ten minutes', ['wrong'], 10 * minute, minute],
  ['one that lacks it for five hours', ['missing'], 5 * hour, 30 * minute],
  ['one that lacks it for a month', ['missing', 'found'], 720 * hour, 6 * hour],
  ['one whose organization runs ahead', ['missing'], -hour, minute],
  ['one that could not be looked up', ['missing', 'unreachable'], 720 * hour, 5 * minute],
  ['one that is right', ['found', 'found'], 0, 24 * hour],
] as const)('%s is looked at again when it is time', (_, statuses, age, delay) => {
  expect(delayOfNextCheck(statuses, age)).toBe(delay);
});
