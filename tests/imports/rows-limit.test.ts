import { expect, test } from 'vitest';
import { append, mapped, stagedOf } from '../support/import.ts';
import { asProblem, problem } from '../support/problem.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const person = (n: number) => ({
  Id: `p${n}`,
  Mail: n % 10 === 0 ? 'nobody' : `p${n}@example.com`,
  Name: 'Ana',
});
const mapping = { Id: 'external_user_id', Mail: 'email', Name: 'first_name' };

test('IMP-047 IMP-048 an import takes fifty thousand rows in a hundred calls, and not one more', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, mapping);
  const all = Array.from({ length: 50_000 }, (_, at) => person(at + 1));
  const last = await append(org, import_id, all);
  expect(last).toMatchObject({ accepted: 450, rejected: 50, total_rows: 45_000, next_row: 50_001 });
  const path = `/v1/imports/${import_id}/rows`;
  const past = await org.rest(`POST ${path}`, { rows: [person(1)] });
  expect(asProblem(past)).toEqual(problem(400, 'invalid_request', path));
  expect(past.body.errors).toMatchObject([
    { pointer: '/rows', detail: expect.stringContaining('room for 0 more') },
  ]);

  const { rows, parts } = await stagedOf(world(), import_id);
  expect(parts).toEqual(Array.from({ length: 100 }, (_, at) => [at * 500 + 1, (at + 1) * 500]));
  const expected = all.flatMap(({ Mail }, at) => (Mail === 'nobody' ? [] : [`${at + 1} ${Mail}`]));
  expect(rows.map(({ row, called }) => `${row} ${called[2]}`)).toEqual(expected);
  const { rows: counted } = await world().admin.query(
    `select last_row::int, staged_rows::int, rejected_rows::int, revision::int,
       (select count(*)::int from import_failures f where f.import_id = i.id) as failures
     from imports i where id = $1`,
    [import_id],
  );
  expect(counted).toEqual([
    { last_row: 50_000, staged_rows: 45_000, rejected_rows: 5_000, revision: 101, failures: 5_000 },
  ]);
}, 240_000);

test('IMP-047 a call that goes past the limit stages none of its rows, and says how many it could', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, mapping);
  await world().admin.query('update imports set last_row = 49900, staged_rows = 49900 where id = $1', [
    import_id,
  ]);
  const rows = Array.from({ length: 101 }, (_, at) => person(10 * at + 1));
  const refused = await org.rest(`POST /v1/imports/${import_id}/rows`, { rows });
  expect(refused.status).toBe(400);
  expect(refused.body.errors).toMatchObject([{ detail: expect.stringContaining('room for 100 more') }]);
  expect((await stagedOf(world(), import_id)).rows).toEqual([]);
  expect(await append(org, import_id, rows.slice(0, 100))).toMatchObject({
    total_rows: 50_000,
    next_row: 50_001,
  });
});
