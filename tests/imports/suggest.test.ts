import { expect, test } from 'vitest';
import { suggestTargets } from '../../src/domain/imports/mapping/suggest-target.ts';
import type { Config } from '../../src/domain/imports/mapping/targets.ts';

const configs: Config[] = [
  { id: '1', key: 'plan_tier', name: 'Tier of the plan', type: 'string' },
  { id: '2', key: 'seats', name: 'Seats', type: 'number' },
  { id: '3', key: 'isCustomer', name: 'Customer', type: 'boolean' },
  { id: '4', key: 'mobile', name: 'Mobile', type: 'boolean' },
  { id: '5', key: 'employer', name: '会社', type: 'string' },
  { id: '6', key: 'nameless', name: '–', type: 'string' },
];

/** What a column of these cells is taken for. */
const suggest = (column: string, ...cells: unknown[]): unknown =>
  suggestTargets(
    [column],
    cells.map((cell) => ({ [column]: cell })),
    configs,
  )[0];

test.each([
  ['email', ['a@example.com'], 'email'],
  ['E-Mail', ['a@example.com', '', 'B@Example.com '], 'email'],
  ['Email Address', ['a@example.com'], 'email'],
  ['emailAddress', ['a@example.com'], 'email'],
  ['Secondary email', ['a@example.com'], 'alternate_email'],
  ['First-Name', ['Ana', 'Jürgen', '李'], 'first_name'],
  ['GIVEN NAME', ['Ana'], 'first_name'],
  ['surname', ["O'Neil", 'van der Berg'], 'last_name'],
  ['Phone', ['+1 (555) 010-0000', 15550100000], 'phone'],
  ['cell phone', ['555 010 000'], 'phone'],
  ['user_id', ['u-1', 42], 'external_user_id'],
  ['payment customer id', ['cus_1'], 'payment_customer_id'],
  ['anonymous-id', ['0f3c'], 'anonymous_id'],
  ['Subscribed', ['yes', 'No', true, 0], 'subscribed_to_emails'],
  ['opted out', ['unsubscribed', 'subscribed'], 'unsubscribed_from_emails'],
  ['plan_tier', ['gold', 3], { property: 'plan_tier' }],
  ['Plan Tier', ['gold'], { property: 'plan_tier' }],
  ['tier of the plan', ['gold'], { property: 'plan_tier' }],
  ['Seats', ['3', 4.5], { property: 'seats' }],
  ['is customer', ['true', 0], { property: 'isCustomer' }],
  ['会社', ['a'], { property: 'employer' }],
  ['mobile', ['true'], { property: 'mobile' }],
  ['mobile', ['+15550100000'], 'phone'],
])('IMP-015 the header %s over %j is suggested', (column, cells, target) => {
  expect(suggest(column, ...cells)).toEqual(target);
});

test.each([
  ['email', ['Ana']],
  ['email', ['a@example.com', 'Ana']],
  ['email', ['', null, ' ']],
  ['email', []],
  ['favorite color', ['a@example.com']],
  ['first_name', ['a@example.com']],
  ['first_name', ['Ana', '42']],
  ['last_name', [42]],
  ['last_name', ['...']],
  ['phone', ['Ana']],
  ['phone', ['a@example.com']],
  ['phone', ['12']],
  ['user_id', ['a b']],
  ['user_id', ['a@example.com']],
  ['user_id', [true]],
  ['subscribed_to_emails', ['yes', 'maybe']],
  ['subscribed_to_emails', ['2026-01-01']],
  ['unsubscribed', ['a@example.com']],
  ['seats', ['1,000']],
  ['is_customer', ['yes']],
  ['constructor', ['a']],
  ['__proto__', ['a']],
  ['', ['a']],
  ['---', ['a']],
  ['電話', ['a']],
])('IMP-016 the header %s over %j is suggested nothing', (column, cells) => {
  expect(suggest(column, ...cells)).toBeNull();
});

test('IMP-015 no two columns are suggested one target: the first has it', () => {
  const row = { mail: 'a@example.com', 'e-mail': 'b@example.com', Seats: 1, seats: 2 };
  expect(suggestTargets(Object.keys(row), [row], configs)).toEqual([
    'email',
    null,
    { property: 'seats' },
    null,
  ]);
});
