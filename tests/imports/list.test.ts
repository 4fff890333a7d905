import { expect, test } from 'vitest';
import { append, draftOf, mapped } from '../support/import.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('IMP-002 IMP-009 IMP-010 imports made by tools are listed, newest first, with what is known of each', async () => {
  const org = await world().newOrg();
  const made = await org.tool('create_import', { name: 'By a tool', columns: ['Mail'] });
  const import_id = await mapped(org, { Mail: 'email' });
  await append(org, import_id, [{ Mail: 'a@example.com' }, { Mail: 'nobody' }, { Mail: 'c@example.com' }]);
  const { import_id: last } = await draftOf(org, ['Mail']);
  const expected = {
    data_imports: [
      { id: last, status: 'draft', file_name: 'People of spring', total_rows: 0 },
      { id: import_id, status: 'mapped', file_name: 'People of spring', total_rows: 2 },
      { id: made.body.import_id, status: 'draft', file_name: 'By a tool', total_rows: 0 },
    ].map((entry) => ({
      ...entry,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      processed_rows: 0,
    })),
  };
  expect((await org.rest('GET /v1/imports')).body).toEqual(expected);
  expect((await org.tool('list_data_imports')).body).toEqual(expected);
});

test('IMP-003 processed rows are those that succeeded and those that failed, not those skipped', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Mail: 'email' });
  await world().admin.query(
    `update imports set status = 'committing', staged_rows = 100, succeeded = 40, failed = 7, skipped = 5 where id = $1`,
    [import_id],
  );
  const { data_imports } = (await org.rest('GET /v1/imports')).body;
  expect(data_imports).toMatchObject([{ status: 'committing', total_rows: 100, processed_rows: 47 }]);
});

test('IMP-009 it takes no arguments, and answers the newest five hundred', async () => {
  const org = await world().newOrg();
  await world().admin.query(
    `insert into imports (org_id, id, name, file_name, source, status, columns, created_at)
     select $1, gen_random_uuid(), 'n', 'file ' || n, 'rows', 'draft', '[]', now() - n * interval '1 minute'
     from generate_series(1, 501) n`,
    [org.id],
  );
  const { data_imports } = (await org.rest('GET /v1/imports')).body;
  expect(data_imports).toHaveLength(500);
  expect([data_imports[0].file_name, data_imports[499].file_name]).toEqual(['file 1', 'file 500']);
  expect((await org.rest('GET /v1/imports?limit=1')).status).toBe(400);
  expect(await org.tool('list_data_imports', { limit: 1 })).toMatchObject({ isError: true });
  expect((await (await world().newOrg()).rest('GET /v1/imports')).body).toEqual({ data_imports: [] });
});
