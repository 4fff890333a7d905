import { expect, test } from 'vitest';
import { append, draftOf, mapped } from '../support/import.ts';
import { asProblem, problem } from '../support/problem.ts';
import { countOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('IMP-072 canceling deletes a draft with its rows and its rejected ones; it is then not found', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Mail: 'email' });
  const other = await mapped(org, { Mail: 'email' });
  for (const id of [import_id, other]) await append(org, id, [{ Mail: 'a@example.com' }, { Mail: 'nobody' }]);
  const path = `/v1/imports/${import_id}`;
  expect(await org.rest(`DELETE ${path}`)).toMatchObject({ status: 200, body: { deleted: true, import_id } });

  for (const table of ['imports', 'import_parts', 'import_failures'])
    expect(await countOf(world(), org, table)).toBe(1);
  const gone = [
    ['DELETE', path, undefined],
    ['PUT', `${path}/mapping`, { mapping: { Mail: 'email' } }],
    ['POST', `${path}/rows`, { rows: [{ Mail: 'b@example.com' }] }],
  ] as const;
  for (const [method, route, body] of gone) {
    expect(asProblem(await org.rest(`${method} ${route}`, body))).toEqual(problem(404, 'not_found', route));
  }
  const { data_imports } = (await org.rest('GET /v1/imports')).body;
  expect(data_imports).toMatchObject([{ id: other, total_rows: 1 }]);
});

test('IMP-072 a draft without a mapping can be canceled, by tool as well', async () => {
  const org = await world().newOrg();
  const { import_id } = await draftOf(org, ['Mail']);
  expect((await org.tool('cancel_import', { import_id })).body).toEqual({ deleted: true, import_id });
  expect((await org.tool('cancel_import', { import_id })).body).toMatchObject({ code: 'not_found' });
});

test.each(['committing', 'completed', 'completed_with_failures', 'failed'])(
  'IMP-008 an import that is %s cannot be canceled, mapped or given rows, and stays as it is',
  async (status) => {
    const org = await world().newOrg();
    const import_id = await mapped(org, { Mail: 'email' });
    await append(org, import_id, [{ Mail: 'a@example.com' }]);
    await world().admin.query('update imports set status = $2 where id = $1', [import_id, status]);
    const read = () => world().admin.query('select i::text from imports i where id = $1', [import_id]);
    const before = (await read()).rows;
    const path = `/v1/imports/${import_id}`;
    const refused = [
      ['DELETE', path, undefined],
      ['PUT', `${path}/mapping`, { mapping: { Mail: 'phone' }, discard_rows: true }],
      ['POST', `${path}/rows`, { rows: [{ Mail: 'b@example.com' }] }],
    ] as const;
    for (const [method, route, body] of refused) {
      const answer = await org.rest(`${method} ${route}`, body);
      expect(asProblem(answer)).toEqual(problem(409, 'import_committed', route));
    }
    expect((await read()).rows).toEqual(before);
    expect(await countOf(world(), org, 'import_parts')).toBe(1);
  },
);

test('IMP-008 a committed import that is being worked on is told to be committed, not busy', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Mail: 'email' });
  const { admin } = world();
  await admin.query(`update imports set status = 'committing' where id = $1`, [import_id]);
  await admin.query('begin');
  await admin.query('select from imports where id = $1 for update', [import_id]);
  const refused = await org.rest(`DELETE /v1/imports/${import_id}`);
  await admin.query('rollback');
  expect(refused).toMatchObject({ status: 409, body: { code: 'import_committed' } });
});
