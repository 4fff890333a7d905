import { z } from 'zod';
import { forWritten } from '../../person-fields/fields.ts';
import { PropertyScalarOut } from '../../properties/property-value.ts';
import { isRejected, rowChecker, type Cells } from './check-row.ts';
import { identifierTargets, type Mapping } from '../record/mapping.ts';
import type { StagedRow } from '../record/staged-row.ts';

const shown = 5;

export const SamplePerson = z.object({
  row: z.int(),
  person: z
    .object({
      identifiers: z.record(z.string(), z.string()),
      ...forWritten(() => z.string().nullable()),
      email_opt_out: z.boolean(),
      custom_properties: z.record(z.string(), PropertyScalarOut),
    })
    .nullable(),
  reason: z.string().nullable().describe('Why it is nobody.'),
});

/** The first samples, each as the person it becomes where none is known yet. */
export function samplePeople(
  columns: readonly string[],
  mapping: Mapping,
  samples: readonly Cells[],
): z.input<typeof SamplePerson>[] {
  const check = rowChecker(columns, mapping);
  return samples.slice(0, shown).map((cells, index) => {
    const checked = check(cells, index + 1);
    return isRejected(checked)
      ? { row: checked.row, person: null, reason: checked.reason }
      : { row: checked.row, person: personOf(checked, mapping), reason: null };
  });
}

const personOf = ({ called, fields, optsOut, values }: StagedRow, { properties }: Mapping) => ({
  identifiers: withoutBlanks(identifierTargets.map(([target], at) => [target, called[at] ?? null])),
  ...fields,
  email_opt_out: optsOut,
  custom_properties: withoutBlanks(properties.map(({ key }, at) => [key, values[at] ?? null])),
});

const withoutBlanks = <T>(entries: readonly (readonly [string, T | null])[]): Record<string, T> =>
  Object.fromEntries(entries.filter((entry): entry is readonly [string, T & {}] => entry[1] !== null));
