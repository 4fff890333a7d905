import { sql, type RawBuilder } from 'kysely';
import type { OrgId, PersonId } from '../kernel/ids.ts';
import { TryAgain } from './org-transaction.ts';
import type { Database } from './pool.ts';

/**
 * How a transaction locks people until it ends. Only this file locks rows of `people`, always in the order of ids, so
 * that transactions wait for each other in one direction only. People are locked before most rows that belong to them:
 * see lock-order.ts.
 *
 * - `alone`: to suppress, merge or delete them, or to give them an identifier. Meanwhile no message to them is handed
 *   over (ADR 27), and no row that refers to them is written.
 * - `changing`: for writes that do not affect whether a message may be sent to them.
 * - `staying`: to refer to them. They are neither deleted nor merged; other transactions may hold them the same way.
 */
export type HowHeld = 'alone' | 'changing' | 'staying';

interface InOrg {
  readonly db: Database;
  readonly org: OrgId;
}

/** The query that holds people; the caller selects the columns. People who are gone have no row in its result. */
export function heldPeople({ db, org }: InOrg, ids: readonly string[] | RawBuilder<unknown>, how: HowHeld) {
  const wanted = Array.isArray(ids) ? sql`${ids}::uuid[]` : ids;
  return db
    .selectFrom('people')
    .where('org_id', '=', org)
    .where('id', '=', sql<string>`any(${wanted})`)
    .orderBy('id')
    .$call((people) => {
      if (how === 'alone') return people.forUpdate();
      return how === 'changing' ? people.forNoKeyUpdate() : people.forKeyShare();
    });
}

/** Holds those of the people who exist, and returns their ids. */
export async function holdPeople(
  work: InOrg,
  ids: readonly string[] | RawBuilder<unknown>,
  how: HowHeld,
): Promise<PersonId[]> {
  const rows = await heldPeople(work, ids, how).select('id').execute();
  return rows.map(({ id }) => id as PersonId);
}

/** Starts the transaction over if one of the people was merged or deleted since the lookup. */
export async function mustHoldPeople(work: InOrg, ids: readonly PersonId[], how: HowHeld): Promise<void> {
  if (ids.length === 0) return;
  if ((await holdPeople(work, ids, how)).length !== ids.length) throw new TryAgain();
}

/** Holds people, and skips those whom another transaction holds otherwise instead of waiting for them. */
export async function holdIdlePeople(
  work: InOrg,
  ids: readonly string[],
  how: HowHeld,
): Promise<Set<PersonId>> {
  const rows = await heldPeople(work, ids, how).skipLocked().select('id').execute();
  return new Set(rows.map(({ id }) => id as PersonId));
}

/** The end of a statement that joins people and orders by their ids: they stay. */
export const stayingAs = (alias: string): RawBuilder<unknown> => sql`for key share of ${sql.ref(alias)}`;
