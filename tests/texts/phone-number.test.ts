import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toE164 } from '../../src/domain/identifiers/phone-number.ts';
import { useWorld } from '../support/world.ts';
import { tries } from '../support/volume.ts';

const world = useWorld();

test.each([
  ['+15550001111', '+15550001111'],
  ['+1 (555) 000-1111', '+15550001111'],
  ['+44.20.7946.0958', '+442079460958'],
  ['+1234567', '+1234567'],
  ['+123456789012345', '+123456789012345'],
  ['+123456', undefined],
  ['+1234567890123456', undefined],
  ['15550001111', undefined],
  ['0044 20 7946 0958', undefined],
  ['+0123456789', undefined],
  ['+1 555 CALL NOW', undefined],
  ['+1555000111１', undefined],
  ['', undefined],
])('%j is dialed as %j', (written, dialed) => {
  expect(toE164(written)).toBe(dialed);
});

test('the database reads a number as we do, and as the check of an audience does', async () => {
  const written = fc.string({
    unit: fc.constantFrom(...'+0123456789 ().-/ax\u00a0'.split('')),
    maxLength: 22,
  });
  for (const text of [
    ...fc.sample(written, tries(3_000)),
    ...fc.sample(written, tries(3_000)).map((rest) => `+1${rest}`),
  ]) {
    const { rows } = await world().admin.query<{ dialed: string | null }>(
      `select case when dialed($1) ~ '^\\+[1-9][0-9]{6,14}$' then dialed($1) end as dialed`,
      [text],
    );
    expect(toE164(text) ?? null).toBe(rows[0]!.dialed);
  }
});
