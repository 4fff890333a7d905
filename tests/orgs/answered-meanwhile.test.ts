import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import type { Work } from '../../src/database/work.ts';
import { answerOnce, type Answer } from '../../src/domain/orgs/idempotent-answer.ts';
import { Failure } from '../../src/kernel/failure.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const operation = { name: 'create_segment' };
const input = { name: 'Regulars' };

/** A second call with a key that looked before the first was committed, and took its lock after that. */
async function secondCall(org: TestOrg, run: () => Promise<Record<string, unknown>>): Promise<Answer> {
  const key = randomUUID();
  const once = (act: () => Promise<Record<string, unknown>>): Promise<Answer> =>
    orgTransaction(world().database, org.id, 'write', (db) => {
      const work = { db, org: org.id, now: new Date(), touched: {} } as unknown as Work;
      return answerOnce(work, operation, { key, input }, act);
    });
  await once(async () => ({ id: 'first' }));
  const { rows } = await world().admin.query('delete from idempotent_answers where key = $1 returning *', [
    key,
  ]);
  return once(async () => {
    const [{ org_id, input_hash, answer, about, created_at }] = rows;
    await world().admin.query(
      `insert into idempotent_answers (org_id, operation, key, input_hash, answer, about, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [org_id, operation.name, key, input_hash, JSON.stringify(answer), about, created_at],
    );
    return run();
  });
}

test.each([
  ['does the same again', async () => ({ id: 'second' })],
  [
    'is refused because of the first',
    () => Promise.reject(new Failure('invalid_request', 'This name is taken.')),
  ],
])('a call that missed the first answer and %s gets the first answer', async (_, run) => {
  expect(await secondCall(await world().newOrg(), run)).toEqual({ output: { id: 'first' }, replayed: true });
});
