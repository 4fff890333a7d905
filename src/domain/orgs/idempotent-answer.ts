import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Failure } from '../../kernel/failure.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { thingTried } from '../../database/locks.ts';
import { TryAgain } from '../../database/org-transaction.ts';
import type { Work } from '../../database/work.ts';

export interface IdempotencyKey {
  readonly key: string;
  /** What was asked, so that a key that is reused for another input is noticed. */
  readonly input: unknown;
}

export interface Answer {
  readonly output: Record<string, unknown>;
  readonly replayed: boolean;
}

const lifetime = '24 hours';

/**
 * Runs an operation once for a key. The answer is stored in the operation's own transaction, so either both exist or
 * neither, and a lock that ends with the transaction shows a second caller that the first still runs. Only successes
 * are kept: a refusal wrote nothing, and may be tried again with the same key.
 */
export async function answerOnce(
  work: Work,
  { name: operation, shownOnce }: Pick<AnyOperation, 'name' | 'shownOnce'>,
  asked: IdempotencyKey,
  run: () => Promise<Record<string, unknown>>,
): Promise<Answer> {
  const { db, org } = work;
  const hash = createHash('sha256')
    .update(JSON.stringify(inOneOrder(asked.input)))
    .digest();
  const scope = `${org} ${operation} ${asked.key}`;
  // One statement takes the lock and looks. The look may be older than the lock, so an answer that was committed between
  // the two is missed: storing a second one then fails by its key, and the transaction starts over and finds the first.
  const earlier = await db
    .selectFrom(
      sql<{ is_mine: boolean }>`(select ${thingTried('idempotency_key', scope)} as is_mine)`.as('tried'),
    )
    .leftJoin('idempotent_answers as a', (join) =>
      join.on('a.org_id', '=', org).on('a.operation', '=', operation).on('a.key', '=', asked.key),
    )
    .select(['tried.is_mine', 'a.key', 'a.input_hash', 'a.answer'])
    .select(sql<boolean>`a.created_at > ${work.now}::timestamptz - ${lifetime}::interval`.as('lives'))
    .executeTakeFirstOrThrow();
  if (!earlier.is_mine) {
    throw new Failure(
      'idempotency_in_progress',
      'The first request with this Idempotency-Key has not ended yet.',
      {
        retryAfterSeconds: 1,
      },
    );
  }
  if (earlier.lives) {
    if (earlier.input_hash?.equals(hash) !== true) {
      throw new Failure(
        'idempotency_key_reused',
        'This Idempotency-Key was sent with another request before.',
      );
    }
    const output = earlier.answer as Record<string, unknown> | null;
    if (output === null)
      throw new Failure('not_found', 'It was done, and the person it was about has been deleted since.');
    return { output, replayed: true };
  }
  if (earlier.key !== null) await forget(work, operation, asked.key);
  const output = await run().catch(async (error: unknown) => {
    // What was missed may be why it is refused now.
    if (error instanceof Failure && (await isAnswered(work, operation, asked.key))) throw new TryAgain();
    throw error;
  });
  await db
    .insertInto('idempotent_answers')
    .values({
      org_id: org,
      operation,
      key: asked.key,
      input_hash: hash,
      answer: JSON.stringify(shownOnce === undefined ? output : { ...output, [shownOnce]: null }),
      about: peopleIn(work.touched),
      created_at: work.now,
    })
    .execute();
  return { output, replayed: false };
}

/** The people whom the operation touched: its answer may contain their data. */
const peopleIn = (touched: Work['touched']): string[] =>
  Object.entries(touched)
    .filter(([name]) => /person_ids?$/.test(name))
    .flatMap(([, ids]) => ids);

/** Blanks the stored answers about a person, under every id the person has had. */
export async function forgetAnswersAbout({ db, org }: Work, person: string): Promise<void> {
  await sql`
    update idempotent_answers set answer = 'null'
    where org_id = ${org} and about <> '{}' and about && array(
      select ${person}::uuid union all select id from merged_people where org_id = ${org} and survivor_id = ${person})`.execute(
    db,
  );
}

/** The same fields in another order are the same input. */
function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, inOneOrder(inner)]);
}

const isAnswered = async ({ db, org }: Work, operation: string, key: string): Promise<boolean> =>
  (await db
    .selectFrom('idempotent_answers')
    .select('key')
    .where('org_id', '=', org)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .executeTakeFirst()) !== undefined;

async function forget(work: Work, operation: string, key: string): Promise<void> {
  await work.db
    .deleteFrom('idempotent_answers')
    .where('org_id', '=', work.org)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute();
}
