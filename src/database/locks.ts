import { sql, type RawBuilder } from 'kysely';
import type { OrgId } from '../kernel/ids.ts';
import type { Database } from './pool.ts';

/**
 * Every advisory lock of the service. No other file takes one, as tests/locks/one-place.test.ts checks. lock-order.ts
 * has the order in which these and row locks are taken.
 *
 * Locks of an organization have two keys, the number here and a hash of the organization, so two of them never meet.
 */
export const orgLocks = {
  /** Exclusive: adding a property config counts the existing ones and chooses the next place for values. */
  adding_property_config: 7_402_118,
  /** Exclusive: adding a sender counts the existing ones, and creates the domain for the first sender there. */
  adding_sender: 7_402_119,
  /** Exclusive: connecting a platform checks whether the account is connected already, and counts. */
  connecting_platform: 7_402_121,
  /**
   * Shared by a transaction that gives people phone numbers, before it looks whether one is remembered; exclusive for a
   * stop from a number that no person seems to have. So one of the two sees the other.
   */
  giving_numbers: 7_402_122,
  /** Exclusive: two deletions of property configs that delete values would take the same pages in different orders. */
  deleting_property_config: 7_402_123,
  /** Exclusive: saving a view counts the existing ones. */
  saving_people_view: 7_402_125,
} as const;

/**
 * A lock of one record has one key, a hash of the record's id. The number here seeds that hash, so that the same id has
 * another key in another lock.
 */
export const thingLocks = {
  /** Shared to rely on a webinar's time or on the set of its waits; exclusive to change them (ADR 32). */
  clock: 0,
  /** Exclusive: one release of a clock at a time, in case its alarm fires twice. */
  release: 1,
  /** Exclusive, without waiting: a key that is taken means that the first call with it still runs. */
  idempotency_key: 2,
  /** Exclusive, without waiting: of several relay processes one tidies a table, or an organization's, at a time. */
  tidying: 3,
} as const;

// 7_402_116 is taken by make_month in the database (0002-months.sql): one month is made at a time.

/** Held by a session, not by a transaction, and of no organization: two processes that migrate take turns. */
export const migrationLock = { sql: 'select pg_try_advisory_lock($1) as mine', key: 7_402_115 } as const;

/** Of handlers that start at once, one registers after the other, so that the second sees the first. */
export const whileRegistering = (database: Database, register: () => Promise<void>): Promise<void> =>
  database.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${7_402_124})`.execute(db);
    await register();
  });

export type OrgLock = keyof typeof orgLocks;
export type ThingLock = keyof typeof thingLocks;

interface InOrg {
  readonly db: Database;
  readonly org: OrgId;
}

/** Each is held until the transaction ends. */
export const holdOrgLock = async ({ db, org }: InOrg, lock: OrgLock): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(${orgLocks[lock]}, hashtext(${org}))`.execute(db));

export const shareOrgLock = async ({ db, org }: InOrg, lock: OrgLock): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock_shared(${orgLocks[lock]}, hashtext(${org}))`.execute(db));

export const holdThing = async (db: Database, lock: ThingLock, id: string): Promise<void> =>
  void (await sql`select ${thingHeld(lock, id)}`.execute(db));

export const shareThing = async (db: Database, lock: ThingLock, id: string): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock_shared(${keyOf(lock, id)})`.execute(db));

/** Takes the lock if it is free, without waiting. Returns whether it was. */
export async function tryThing(db: Database, lock: ThingLock, id: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`select ${thingTried(lock, id)} as mine`.execute(db);
  return rows[0]?.mine === true;
}

/** The same as part of a statement, which sees rows as they were before the lock. */
export const thingTried = (lock: ThingLock, id: string): RawBuilder<boolean> =>
  sql`pg_try_advisory_xact_lock(${keyOf(lock, id)})`;

/** As part of a statement that does something else as well. */
export const thingHeld = (lock: ThingLock, id: string): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock(${keyOf(lock, id)})`;

/** An id in capitals is the same id. A key that callers make up is taken as it is. */
const keyOf = (lock: ThingLock, id: string): RawBuilder<unknown> =>
  sql`hashtextextended(${lock === 'idempotency_key' ? id : id.toLowerCase()}, ${sql.lit(thingLocks[lock])})`;
