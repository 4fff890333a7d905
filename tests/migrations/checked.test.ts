import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCommand } from '../blackbox/run-command.ts';

const role = 'set local role rostrum_owner;\n';
const ignored = '-- squawk-ignore ban-drop-column\n';

test.each([
  ['1.sql', `${role}create index people_city on people (org_id, city);`, 'require-concurrent-index-creation'],
  ['1.sql', `${role}alter table people alter column city set not null;`, 'adding-not-nullable-field'],
  ['1.sql', `${role}alter table people alter column city type bigint;`, 'changing-column-type'],
  ['1.sql', `${role}alter table people drop column city;`, 'ban-drop-column'],
  ['1.sql', `${role}${ignored}alter table people drop column first_name;`, 'still uses first_name'],
  ['1.sql', `${role}alter table people add constraint c check (city <> '');`, 'constraint-missing-not-valid'],
  ['1.index.sql', 'create index people_city on people (org_id, city);', 'holds one statement'],
  ['1.backfill.sql', 'update people set city = 1;', '"-- backfill table by key"'],
])('%s: %s is refused', async (name, sql, message) => {
  expect(await check(name, sql)).toMatchObject({ code: 1, said: expect.stringContaining(message) });
});

test.each([
  ['1.sql', `${role}alter table people add column city text;`],
  ['1.sql', `${role}alter table people add constraint c check (city is not null) not valid;`],
  ['1.sql', `${role}alter table people validate constraint c;`],
  ['1.sql', `${role}${ignored}alter table people drop column nobody_names_this_one;`],
  ['1.index.sql', 'create index concurrently people_city on people (org_id, city);'],
  [
    '1.backfill.sql',
    '-- backfill people by id\nupdate people set city = 1 from batch where people.id = batch.id;',
  ],
])('%s: %s may run while the service serves', async (name, sql) => {
  expect(await check(name, sql)).toMatchObject({ code: 0 });
});

async function check(name: string, sql: string): Promise<{ code: number | null; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-checked-'));
  writeFileSync(join(folder, name), sql);
  const { code, stdout, stderr } = await startCommand(process.execPath, [
    'scripts/check-migrations.ts',
    folder,
  ]).ended;
  rmSync(folder, { recursive: true, force: true });
  return { code, said: stdout + stderr };
}
