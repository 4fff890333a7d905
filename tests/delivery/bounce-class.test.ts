import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bounceClass, type BounceClass } from '../../src/domain/delivery/ledger/bounce-class.ts';
import { tries } from '../support/volume.ts';

const codes: [BounceClass, string][] = [
  ['hard', '5.1.1 5.1.2 5.1.3 5.1.4 5.1.6 5.1.10 5.2.1 5.7.13 5.7.17 5.7.18'],
  ['soft', '5.2.2 4.2.2 4.1.1 4.2.1 4.4.1 4.4.3 4.7.0 4.7.1 4.7.13 4.3.2 5.4.4 5.4.1 5.4.6 5.4.7'],
  ['soft', '5.0.0 5.1.0 5.1.5 5.1.11 5.2.0 5.2.3 5.2.10 5.3.4 5.5.0 5.1.100'],
  ['policy', '5.7.0 5.7.1 5.7.26 5.7.509 5.7.515 5.7.708 5.7.130 5.7.131 5.1.7 5.1.8 5.6.0'],
];

test.each(codes)('%s are %s', (expected, list) => {
  for (const code of list.split(' ')) {
    expect([code, bounceClass({ code })]).toEqual([code, expected]);
    expect([code, bounceClass({ reply: `${code[0]}50 ${code} in some words` })]).toEqual([code, expected]);
    expect([code, bounceClass({ code: `${code[0]}50`, reply: `${code} in some words` })]).toEqual([
      code,
      expected,
    ]);
  }
});

const replies: [BounceClass, string][] = [
  ['hard', '550-5.1.1 The email account that you tried to reach does not exist.'],
  ['hard', '550 #5.1.1 Unknown recipient'],
  ['hard', 'smtp; 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
  ['hard', '550 5.2.1 The email account that you tried to reach is disabled.'],
  ['soft', '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents more'],
  ['soft', '552 5.2.2 The email account that you tried to reach is over quota'],
  ['soft', '450 5.1.1 user unknown for now'],
  ['soft', '452 4.2.2 mailbox full'],
  ['soft', '550 4.4.7 QUEUE.Expired; message expired'],
  ['policy', '550 5.7.515 Access denied, sending domain does not meet the required authentication level'],
  ['policy', '550-5.7.26 This mail has been blocked because the sender is unauthenticated'],
  ['policy', '550 5.7.1 user unknown or refused'],
  // Without an enhanced code the words decide, and in doubt the person is not blamed.
  ['hard', '550 No such user here'],
  ['hard', '550 User unknown'],
  ['hard', '550 Requested action not taken: mailbox does not exist'],
  ['hard', "554 delivery error: dd This user doesn't have a yahoo.com account (nobody@yahoo.com) [0]"],
  ['hard', '550 Invalid recipient <x@example.com>'],
  ['hard', '511 sorry, no mailbox here by that name'],
  ['policy', '554 Your IP 192.0.2.7 is on our blocklist'],
  ['policy', '550 Unknown user or your host is blocked'],
  ['policy', '554 Message refused: looks like spam'],
  ['soft', '550 mailbox full, no such user space left'],
  ['soft', '550 mailbox unavailable'],
  ['soft', '554 Transaction failed'],
  ['soft', '500 What?'],
  ['soft', '421 No such user at this hour'],
  [
    'soft',
    'Host or domain name not found. Name service error for name=example.invalid type=AAAA: Host not found',
  ],
  ['soft', 'no such user'],
  ['soft', ''],
  // An address of a machine is no status.
  ['soft', '554 refused, 5.1.1.7 said so'],
  ['hard', '550 192.5.1.1 says 5.1.1 no such mailbox'],
];

test.each(replies)('it is %s when the other side says: %s', (expected, reply) => {
  expect(bounceClass({ reply })).toBe(expected);
});

test('a code that tells nothing leaves it to the words, and one that tells wins over them', () => {
  expect(bounceClass({ code: '5.0.0', reply: '550 5.1.1 no mailbox' })).toBe('hard');
  expect(bounceClass({ code: '5.0.0', reply: '550 No such user' })).toBe('hard');
  expect(bounceClass({ code: '550', reply: '5.7.1 refused' })).toBe('policy');
  expect(bounceClass({ code: '5.7.1', reply: '550 5.1.1 no mailbox' })).toBe('policy');
  expect(bounceClass({ code: '5.1.1', reply: '451 4.1.1 try again' })).toBe('soft');
  expect(bounceClass({ code: '550' })).toBe('soft');
  expect(bounceClass({})).toBe('soft');
});

test('whatever is said, it is one of three, and only a 5 is ever hard', () => {
  fc.assert(
    fc.property(fc.option(fc.string(), { nil: undefined }), fc.string({ unit: 'binary' }), (code, reply) => {
      const judged = bounceClass({ code, reply });
      expect(['hard', 'soft', 'policy']).toContain(judged);
      expect(judged === 'soft' || `${code} ${reply}`.includes('5')).toBe(true);
    }),
    tries(1_000),
  );
});
