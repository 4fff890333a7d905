import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isRejected,
  rowChecker,
  type Cells,
  type RejectedRow,
} from '../../src/domain/imports/mapping/check-row.ts';
import { identifierTargets, type Mapping, type Target } from '../../src/domain/imports/record/mapping.ts';
import {
  packRow,
  unpackRow,
  type PackedRow,
  type StagedRow,
} from '../../src/domain/imports/record/staged-row.ts';
import { takeFields } from '../../src/domain/people/identify/sent-person.ts';
import { tries } from '../support/volume.ts';

/** Stands in every text cell, and must never stand in a reason. */
const secret = '§secret§';

const columns = [
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'a/b~c',
  ' ',
  '💥',
  'c'.repeat(200),
] as const;
const targets: readonly Target[] = [
  'email',
  'external_user_id',
  'alternate_phone',
  'first_name',
  'subscribed_to_emails',
  { property: 'string' },
  { property: 'number' },
  { new_property: { key: 'boolean', name: 'B', type: 'boolean' } },
  'skip',
];
const propertyOf = (at: number, type: 'string' | 'number' | 'boolean') => ({
  column: columns[at]!,
  key: type,
  name: type,
  type,
  config_id: null,
});
const mapping: Mapping = {
  targets: Object.fromEntries(columns.map((column, at) => [column, targets[at]!])),
  properties: [propertyOf(5, 'string'), propertyOf(6, 'number'), propertyOf(7, 'boolean')],
};

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('yes', 'maybe', '1', '0', '12.5', 'a@example.com', '\u0000', '\uD800', '\u202E', ''),
  fc.nat(9_000).map((length) => 'x'.repeat(length)),
);
const hostileCell = fc.oneof(
  text,
  text.map((one) => secret + one),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, NaN, Infinity, -0, 2 ** 60),
  fc.jsonValue({ maxDepth: 3 }),
);
const hostileRow = fc.oneof(
  fc.dictionary(fc.constantFrom(...columns), hostileCell, { maxKeys: 3 }),
  fc
    .tuple(fc.constantFrom(...columns), hostileCell)
    .map(([one, cell]) => ({ toString: 'somebody', [one]: cell })),
  fc.dictionary(fc.oneof(fc.constantFrom(...columns, '__proto__', 'stranger'), text), hostileCell),
);

/** What holds for every row that is staged, whatever was sent. */
function judgeStaged(staged: StagedRow): void {
  expect(staged.called).toHaveLength(identifierTargets.length);
  for (const called of staged.called) {
    const fits = called === null || (called.length > 0 && called.length <= 512 && called === called.trim());
    expect(fits).toBe(true);
  }
  expect(staged.called[0] !== null || staged.called[2] !== null).toBe(true);
  const kinds = staged.values.map((value) => (value === null ? 'nothing' : typeof value));
  for (const [at, type] of ['string', 'number', 'boolean'].entries())
    expect(['nothing', type]).toContain(kinds[at]);
  expect(typeof staged.optsOut).toBe('boolean');
  expect((staged.fields.first_name ?? '').length).toBeLessThanOrEqual(200);
  // What is stored is what was checked.
  const stored = JSON.parse(JSON.stringify(packRow(staged))) as PackedRow;
  expect(JSON.stringify(unpackRow(stored))).toBe(JSON.stringify(staged));
}

function judgeRejected({ code, reason }: RejectedRow): void {
  expect(code).toMatch(/^[a-z_]+$/);
  expect(reason.length).toBeLessThanOrEqual(500);
  expect(reason).not.toContain(secret);
}

test('IMP-050 whatever a row holds, it is staged as what fits or rejected without repeating it', () => {
  const check = rowChecker(columns, mapping);
  const judged = { staged: 0, rejected: 0 };
  fc.assert(
    fc.property(hostileRow, fc.integer({ min: 1, max: 50_000 }), (cells, row) => {
      const checked = check(cells as Cells, row);
      judged[isRejected(checked) ? 'rejected' : 'staged']++;
      expect(checked.row).toBe(row);
      return isRejected(checked) ? judgeRejected(checked) : judgeStaged(checked);
    }),
    tries(50_000),
  );
  // Otherwise one half of it proves nothing.
  expect(Math.min(judged.staged, judged.rejected)).toBeGreaterThan(200);
});

test('IMP-051 a column that the row does not have is blank, whatever objects inherit', () => {
  const check = rowChecker(columns, mapping);
  expect(check({ toString: 'only this' }, 1)).toEqual({
    row: 1,
    called: ['only this', null, null, null, null, null, null],
    fields: takeFields({}),
    optsOut: false,
    values: [null, null, null],
  });
});
