import { expect, test } from 'vitest';
import { isRejected, rowChecker } from '../../src/domain/imports/mapping/check-row.ts';
import { append, mapped, stagedOf } from '../support/import.ts';
import { useWorld } from '../support/world.ts';
import { checkCell, mappingOf } from './checking.ts';

const world = useWorld();

const optsOut = (target: string, cell: unknown): unknown => {
  const checked = checkCell(target, cell);
  return isRejected(checked) ? checked.code : checked.optsOut;
};

/** The word, and whether it opts out as an answer to "subscribed?" and to "unsubscribed?". */
test.each([
  ['true', false, true],
  ['false', true, false],
  ['yes', false, true],
  ['no', true, false],
  ['1', false, true],
  ['0', true, false],
  ['subscribed', false, false],
  ['unsubscribed', true, true],
])(
  'IMP-052 the consent word %s is understood, in any case and as JSON',
  (word, underSubscribed, underUnsubscribed) => {
    const forms: unknown[] = [word, word.toUpperCase(), ` ${word[0]!.toUpperCase()}${word.slice(1)}\t`];
    if (/true|false|1|0/.test(word)) forms.push(JSON.parse(word));
    for (const form of forms) {
      expect(optsOut('subscribed_to_emails', form)).toBe(underSubscribed);
      expect(optsOut('unsubscribed_from_emails', form)).toBe(underUnsubscribed);
    }
  },
);

test.each([
  'maybe',
  'y',
  'n',
  'on',
  'off',
  'null',
  'opted out',
  '2',
  '-1',
  'yes!',
  'not subscribed',
  2,
  0.5,
  -1,
])('IMP-053 a row whose consent cell is %j is rejected, under either column', (cell) => {
  expect(optsOut('subscribed_to_emails', cell)).toBe('not_consent');
  expect(optsOut('unsubscribed_from_emails', cell)).toBe('not_consent');
});

test('IMP-053 an unclear consent cell rejects its row and no other, and says which words are clear', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Id: 'external_user_id', Consent: 'subscribed_to_emails' });
  const rows = [
    { Id: 'a', Consent: 'no' },
    { Id: 'b', Consent: 'maybe' },
    { Id: 'c', Consent: 'yes' },
  ];
  expect(await append(org, import_id, rows)).toMatchObject({
    accepted: 2,
    rejected_rows: [{ row: 2, code: 'not_consent', reason: expect.stringContaining('yes or no') }],
  });
  const staged = (await stagedOf(world(), import_id)).rows;
  expect(staged.map((row) => [row.row, row.optsOut])).toEqual([
    [1, true],
    [3, false],
  ]);
});

test('IMP-052 with both consent columns either of them opts out', () => {
  const columns = ['anonymous_id', 'subscribed_to_emails', 'unsubscribed_from_emails'];
  const check = rowChecker(columns, mappingOf(columns));
  const both = (subscribed: string, unsubscribed: string) =>
    check({ anonymous_id: 'a', subscribed_to_emails: subscribed, unsubscribed_from_emails: unsubscribed }, 1);
  expect(both('yes', 'yes')).toMatchObject({ optsOut: true });
  expect(both('no', 'no')).toMatchObject({ optsOut: true });
  expect(both('no', '')).toMatchObject({ optsOut: true });
  expect(both('', 'yes')).toMatchObject({ optsOut: true });
  expect(both('yes', 'no')).toMatchObject({ optsOut: false });
  expect(both('yes', '')).toMatchObject({ optsOut: false });
  expect(both('yes', 'maybe')).toMatchObject({ code: 'not_consent' });
});
