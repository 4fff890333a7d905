import { expect, test } from 'vitest';
import { append, mapped, stagedOf } from '../support/import.ts';
import { asProblem, problem } from '../support/problem.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const people = (n: number, from = 0) => Array.from({ length: n }, (_, at) => ({ Id: `p${from + at}` }));

test('IMP-046 five hundred rows a call are accepted, five hundred and one refused', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Id: 'external_user_id' });
  const path = `/v1/imports/${import_id}/rows`;
  const accepted = await org.rest(`POST ${path}`, { rows: people(500) });
  expect(accepted).toMatchObject({
    status: 200,
    body: { accepted: 500, rejected: 0, total_rows: 500, next_row: 501 },
  });
  const refused = await org.rest(`POST ${path}`, { rows: people(501) });
  expect(asProblem(refused)).toEqual(problem(400, 'invalid_request', path));
  expect(refused.body.errors).toMatchObject([{ pointer: '/rows' }]);
  expect((await org.rest(`POST ${path}`, { rows: [] })).status).toBe(400);
  expect((await stagedOf(world(), import_id)).rows).toHaveLength(500);
});

test('IMP-048 rows keep the order of the file over calls, and their numbers run on past rejected ones', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Id: 'external_user_id' });
  const first = await append(org, import_id, [...people(3), { Id: '' }]);
  expect(first).toMatchObject({ accepted: 3, rejected: 1, total_rows: 3, next_row: 5 });
  const none = await append(org, import_id, [{ Id: null }, {}]);
  expect(none).toMatchObject({ accepted: 0, rejected: 2, total_rows: 3, next_row: 7 });
  const { body } = await org.tool('append_import_rows', { import_id, rows: [{ Id: ' ' }, ...people(2, 3)] });
  expect(body).toMatchObject({ total_rows: 5, next_row: 10, rejected_rows: [{ row: 7 }] });
  const { rows, parts } = await stagedOf(world(), import_id);
  expect(rows.map(({ row, called }) => [row, called[0]])).toEqual([
    [1, 'p0'],
    [2, 'p1'],
    [3, 'p2'],
    [8, 'p3'],
    [9, 'p4'],
  ]);
  expect(parts).toEqual([
    [1, 4],
    [7, 9],
  ]);
});

test('IMP-050 a misfit row is rejected with its number and reason, and the good ones of the call are staged', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, {
    Mail: 'email',
    Id: 'external_user_id',
    Seats: { new_property: { key: 'seats', name: 'Seats', type: 'number' } },
  });
  const answer = await append(org, import_id, [
    { Mail: 'a@example.com', Seats: '3' },
    { Mail: 'private', Seats: 'private' },
    { Mail: 'b@example.com', Seats: '1,000' },
    { Id: 'b', Seats: '' },
    { Seats: 5 },
    { Id: 'c', private: 'd' },
    { Id: 'd', Mail: { private: 1 } },
  ]);
  expect(answer).toEqual({
    import_id,
    accepted: 2,
    rejected: 5,
    rejected_rows: [
      { row: 2, code: 'not_an_email', reason: 'Column Mail must hold an email address.' },
      { row: 3, code: 'not_a_number', reason: 'Column Seats must hold a number, such as 1000 or 9.5.' },
      { row: 5, code: 'no_identifier', reason: expect.stringContaining('at least one of external_user_id') },
      { row: 6, code: 'unknown_column', reason: expect.stringContaining('Send only its columns') },
      { row: 7, code: 'not_a_cell', reason: expect.stringContaining('Column Mail') },
    ],
    total_rows: 2,
    next_row: 8,
  });
  const kept = await world().admin.query(
    `select row::int, code, reason from import_failures where import_id = $1 and outcome = 'rejected' order by row`,
    [import_id],
  );
  expect(kept.rows).toEqual(answer.rejected_rows);
  expect(JSON.stringify(kept.rows)).not.toContain('private');
  expect((await stagedOf(world(), import_id)).rows.map(({ row }) => row)).toEqual([1, 4]);
});

test('IMP-046 a call that cannot be read stages nothing of its rows', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Id: 'external_user_id' });
  for (const rows of [
    [{ Id: 'a' }, 'b'],
    [{ Id: 'a' }, ['b']],
    [{ Id: 'a' }, null],
    [{ Id: 'a' }, { Id: 'b\0' }],
    {},
  ]) {
    expect((await org.rest(`POST /v1/imports/${import_id}/rows`, { rows })).status).toBe(400);
  }
  expect(await stagedOf(world(), import_id)).toEqual({ rows: [], parts: [] });
});

test('IMP-048 a call sent again with its idempotency key appends once', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Id: 'external_user_id' });
  const send = () =>
    org.rest(`POST /v1/imports/${import_id}/rows`, { rows: people(2) }, { 'idempotency-key': 'part-1' });
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect(await append(org, import_id, people(1, 2))).toMatchObject({ total_rows: 3, next_row: 4 });
});
