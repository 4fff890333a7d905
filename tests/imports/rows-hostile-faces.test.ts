import { expect, test } from 'vitest';
import { append, mapped, stagedOf } from '../support/import.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('IMP-050 hostile rows over both faces are answered, counted and stored as they came', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { constructor: 'external_user_id', 'a"b\\': 'first_name' });
  const rows: Record<string, unknown>[] = [
    { constructor: "'; drop table people; --" },
    { constructor: '\u202E💥', 'a"b\\': '<script>' },
    { constructor: ['a'] },
    { toString: 'x' },
    {},
  ];
  const codes = ['not_a_cell', 'unknown_column', 'no_identifier'];
  const rejectedFrom = (row: number) => codes.map((code, at) => ({ row: row + at, code }));
  const over = [
    await append(org, import_id, rows),
    (await org.tool('append_import_rows', { import_id, rows })).body,
  ];
  expect(over).toMatchObject([
    { accepted: 2, rejected: 3, rejected_rows: rejectedFrom(3) },
    { accepted: 2, rejected: 3, rejected_rows: rejectedFrom(8) },
  ]);
  const named = (id: string, first_name: string | null) => ({
    called: [id, null, null, null, null, null, null],
    fields: { first_name, last_name: null },
  });
  const both = [named("'; drop table people; --", null), named('\u202E💥', '<script>')];
  expect((await stagedOf(world(), import_id)).rows).toMatchObject([...both, ...both]);
});

test.each([
  '{"__proto__": {"polluted": true}, "Id": "a"}',
  '{"constructor": {"prototype": {"polluted": true}}}',
])('IMP-050 a call with the row %s is refused as a whole and reaches no object', async (row) => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Id: 'external_user_id' });
  const rows = [{ Id: 'b' }, JSON.parse(row)];
  expect((await org.rest(`POST /v1/imports/${import_id}/rows`, { rows })).status).toBe(400);
  await expect(org.tool('append_import_rows', { import_id, rows })).rejects.toThrow('protocol error');
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
  expect((await stagedOf(world(), import_id)).rows).toEqual([]);
});
