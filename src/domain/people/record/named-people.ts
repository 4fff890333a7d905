import { z } from 'zod';
import type { Work } from '../../../database/work.ts';

/** Who somebody is, beside their id in a list, for callers who may read people. */
export const NamedPerson = z
  .object({
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    primary_email: z.string().nullable(),
    primary_phone: z.string().nullable(),
  })
  .nullable()
  .describe('null for a credential without people.read.');
type NamedPerson = NonNullable<z.infer<typeof NamedPerson>>;

/** Who they are, for a whole page at once; nobody, for a caller without people.read. */
export async function readNamedPeople(
  { db, org, caller }: Work,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedPerson>> {
  if (ids.length === 0 || !caller.permissions.has('people.read')) return new Map();
  const rows = await db
    .selectFrom('people')
    .select(['id', 'first_name', 'last_name', 'primary_email', 'primary_phone'])
    .where('org_id', '=', org)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}
