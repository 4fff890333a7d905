import { sql } from 'kysely';
import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { OrgId, PersonId, PropertyConfigId } from '../../kernel/ids.ts';
import type { PropertyType } from './property-config.ts';
import { placeOf, type PropertyPlace } from './property-place.ts';

export interface RemovalRef {
  readonly org_id: OrgId;
  readonly config_id: PropertyConfigId;
  /** How far the removal was when this message was sent. If it is elsewhere by now, another handler is at work. */
  readonly after?: string | undefined;
}

export interface RemovalParts {
  readonly database: Database;
  readonly clock: Clock;
  /** When it is set, no further part is begun. */
  readonly stopping: AbortSignal;
}

/** `more`: done up to `after`, call again at once. `not_mine`: it is done, or another handler is at work. */
export type Removed =
  | { readonly outcome: 'more'; readonly after: string }
  | { readonly outcome: 'done' | 'not_mine' };

const runMs = 2_000; // then it returns to the engine, and other removals may have the place

/** Removes the values of a deleted property, part after part. */
export async function removeValues(parts: RemovalParts, ref: RemovalRef): Promise<Removed> {
  const until = parts.clock.now().getTime() + runMs;
  for (let { after } = ref; ;) {
    const removed = await removePart(parts.database, { ...ref, after }, parts.clock.now());
    if (removed.outcome !== 'more') return removed;
    if (parts.clock.now().getTime() >= until || parts.stopping.aborted) return removed;
    ({ after } = removed);
  }
}

/** A million in one statement took 17.6 s, so this many delay another write to their values by some 35 ms. */
const peopleAPart = 2_000;

/** Removes the values of the next `most` people and records how far it is, in one transaction. */
export const removePart = (
  database: Database,
  { org_id, config_id, after }: RemovalRef,
  now: Date,
  most = peopleAPart,
): Promise<Removed> =>
  orgTransaction(database, org_id, 'write', async (db) => {
    const removal = await db
      .selectFrom('property_removals')
      .selectAll()
      .where('org_id', '=', org_id)
      .where('config_id', '=', config_id)
      .forUpdate()
      .executeTakeFirst();
    if (removal === undefined || (after !== undefined && after !== removal.done_person)) {
      return { outcome: 'not_mine' };
    }
    const people = await db
      .selectFrom('people')
      .select('id')
      .where('org_id', '=', org_id)
      .where('id', '>', removal.done_person)
      .orderBy('id')
      .limit(most)
      .execute();
    const last = people.at(-1)?.id;
    if (last === undefined) {
      await db
        .deleteFrom('property_removals')
        .where('org_id', '=', org_id)
        .where('config_id', '=', config_id)
        .execute();
      return { outcome: 'done' };
    }
    const ids = people.map(({ id }) => id as PersonId);
    await deleteValues(db, org_id, config_id, ids);
    await emptyPlace(db, org_id, placeOf(removal.type as PropertyType, removal.slot), ids);
    await db
      .updateTable('property_removals')
      .set({ done_person: last, run_at: now })
      .where('org_id', '=', org_id)
      .where('config_id', '=', config_id)
      .execute();
    return { outcome: 'more', after: last };
  });

/** Looks each value up by key: with old statistics every part would read all values of the property. */
const deleteValues = (db: Database, org: OrgId, config: PropertyConfigId, people: readonly PersonId[]) =>
  sql`
    delete from property_values where org_id = ${org} and ctid = any(array(
      select v.ctid from unnest(${people}::uuid[]) as meant(id) cross join lateral (
        select ctid from property_values where org_id = ${org} and person_id = meant.id and config_id = ${config}
        limit 1) v))`.execute(db);

/** Locks pages in the order in which every writer takes them, then writes. */
async function emptyPlace(
  db: Database,
  org: OrgId,
  { page, column }: PropertyPlace,
  people: readonly PersonId[],
): Promise<void> {
  const filled = sql`org_id = ${org} and page = ${sql.lit(page)} and person_id = any(${people}::uuid[])
    and ${sql.ref(column)} is not null`;
  await sql`select 1 from property_pages where ${filled} order by person_id for no key update`.execute(db);
  await sql`update property_pages set ${sql.ref(column)} = null where ${filled}`.execute(db);
}
