import { expect, test } from 'vitest';
import { draftOf, map, stagedOf } from '../support/import.ts';
import { useWorld } from '../support/world.ts';
import { importsOf, mapping, sendCsv, takeCsv } from './send-csv.ts';

const world = useWorld();

const file = 'Email,Name\nada@example.com,Ada\ngrace@example.com,Grace\n';
const ada = { email: 'ada@example.com', name: 'Ada' };
const grace = { email: 'grace@example.com', name: 'Grace' };

/** Who the staged rows of an import say, in order. */
async function people(
  import_id: string,
): Promise<{ row?: number; email: string | null; name: string | null }[]> {
  const { rows } = await stagedOf(world(), import_id);
  return rows.map(({ called, fields }) => ({ email: called[2] ?? null, name: fields.first_name }));
}

test('IMP-011 an import made of a CSV file is listed like one made by the tools', async () => {
  const org = await world().newOrg();
  const tool = await org.tool('create_import', { name: 'By tool', columns: ['Email'] });
  const { status, body } = await sendCsv(org, { name: 'Spring', file_name: 'spring.csv', mapping }, file);
  expect(status).toBe(201);
  for (const listed of [
    (await org.tool('list_data_imports')).body.data_imports,
    (await org.rest('GET /v1/imports')).body.data_imports,
  ]) {
    expect(listed).toMatchObject([
      { id: body.import_id, status: 'mapped', file_name: 'spring.csv', total_rows: 2, processed_rows: 0 },
      { id: tool.body.import_id, status: 'draft', file_name: 'By tool', total_rows: 0, processed_rows: 0 },
    ]);
  }
  const { rows } = await world().admin.query('select source from imports where org_id = $1 order by id', [
    org.id,
  ]);
  expect(rows).toEqual([{ source: 'rows' }, { source: 'csv' }]);
});

test('without a mapping the header and twenty rows are read, and the answer is that of create_import', async () => {
  const org = await world().newOrg();
  const rows = Array.from({ length: 60_000 }, (_, at) => `p${at}@example.com,P${at}`);
  const { status, body } = await sendCsv(org, { name: 'Spring' }, `Email,Name\n${rows.join('\n')}`);
  const samples = rows.slice(0, 20).map((row) => ({ Email: row.split(',')[0], Name: row.split(',')[1] }));
  const { import_id: _, ...asked } = await draftOf(org, ['Email', 'Name'], samples);
  expect({ status, ...body }).toEqual({ status: 201, import_id: body.import_id, ...asked });
  expect(body.columns).toContainEqual({ column: 'Email', suggested: 'email' });
  const kept = await world().admin.query('select sample_rows, last_row from imports where id = $1', [
    body.import_id,
  ]);
  expect(kept.rows).toMatchObject([{ sample_rows: samples, last_row: '0' }]);
});

test('a file goes into a draft once that has a mapping, whatever the order of its columns', async () => {
  const org = await world().newOrg();
  const { body: made } = await sendCsv(org, { name: 'Spring' }, file);
  await map(org, made.import_id, mapping);
  const sent = await sendCsv(
    org,
    { import_id: made.import_id },
    'Name,Email\nAda,ada@example.com\nNobody,none\n',
  );
  expect(sent).toMatchObject({ status: 201 });
  expect(sent.body).toEqual({
    import_id: made.import_id,
    status: 'mapped',
    total_rows: 1,
    accepted: 1,
    rejected: 1,
    rejected_rows: [{ row: 2, code: expect.any(String), reason: expect.stringContaining('Email') }],
  });
  expect(await people(made.import_id)).toEqual([ada]);
  expect(await importsOf(org)).toMatchObject([{ id: made.import_id, file_name: 'Spring', total_rows: 1 }]);
});

test.each([
  ['commas', file],
  ['semicolons', 'Email;Name\nada@example.com;Ada\ngrace@example.com;Grace\n'],
  ['tabs', 'Email\tName\nada@example.com\tAda\ngrace@example.com\tGrace\n'],
  ['CR LF', file.replaceAll('\n', '\r\n')],
  ['CR alone', file.replaceAll('\n', '\r')],
  ['line ends of two kinds', file.replace('Name\n', 'Name\r\n')],
  ['no line end at the end', file.trimEnd()],
  ['a byte order mark', `\uFEFF${file}`],
  ['a byte order mark and one line only', `\uFEFF${file.trimEnd().replaceAll('\n', '\r')}`],
  ['quotes around everything', file.replaceAll(/[^,\n]+/g, '"$&"')],
  ['spaces around the names of columns', file.replace('Email,Name', ' Email , Name ')],
  ['empty lines before semicolons', '\n\r\nEmail;Name\nada@example.com;Ada\ngrace@example.com;Grace\n'],
  ['empty lines between', `\n${file.replaceAll('\n', '\n\n')}\r\n`],
])('a file with %s is read', async (_, text) => {
  expect(await people(await takeCsv(await world().newOrg(), text))).toEqual([ada, grace]);
});

test('quoted cells may hold delimiters, doubled quotes and line breaks', async () => {
  const text = 'Email,"Name"\nada@example.com,"Ada, ""the first"";\r\nof\nmany"\ngrace@example.com,Grace\n';
  expect(await people(await takeCsv(await world().newOrg(), text))).toEqual([
    { ...ada, name: 'Ada, "the first";\r\nof\nmany' },
    grace,
  ]);
});

test('the delimiter is what parts the header, not what stands inside its quotes or in the rows', async () => {
  const org = await world().newOrg();
  const odd = { 'Email, the first': 'email', Name: 'first_name' };
  const text = '"Email, the first";Name\nada@example.com;Ada\n';
  const { body } = await sendCsv(org, { name: 'Spring', mapping: odd }, text);
  expect(await people(body.import_id)).toEqual([ada]);
  const single = await sendCsv(org, { name: 'One', mapping: { Email: 'email' } }, 'Email\nada@example.com\n');
  expect(await people(single.body.import_id)).toEqual([{ ...ada, name: null }]);
});

test('missing cells are blank, blank cells too many are nothing, and others reject their row alone', async () => {
  const org = await world().newOrg();
  const text = 'Email,Name\nada@example.com\ngrace@example.com,Grace,, \njoan@example.com,Joan,Clarke\n';
  const { body } = await sendCsv(org, { name: 'Spring', mapping }, text);
  expect(body).toMatchObject({
    total_rows: 2,
    accepted: 2,
    rejected: 1,
    rejected_rows: [{ row: 3, code: 'unknown_column' }],
  });
  expect(JSON.stringify(body)).not.toContain('Clarke');
  expect(await people(body.import_id)).toEqual([{ ...ada, name: null }, grace]);
});

test('of many rejected rows the first hundred are told, and all are counted', async () => {
  const org = await world().newOrg();
  const rows = ['ada@example.com', ...Array.from({ length: 700 }, () => 'none')];
  const { body: made } = await sendCsv(org, { name: 'Spring' }, `Email\n${rows[0]}\n`);
  await map(org, made.import_id, { Email: 'email' });
  const { body } = await sendCsv(org, { import_id: made.import_id }, `Email\n${rows.join('\n')}\n`);
  expect(body).toMatchObject({ total_rows: 1, accepted: 1, rejected: 700 });
  expect(body.rejected_rows.map(({ row }: { row: number }) => row)).toEqual(
    Array.from({ length: 100 }, (_, at) => at + 2),
  );
  const told = await org.rest(`GET /v1/imports/${made.import_id}?outcome=rejected&limit=1`);
  expect(told.body).toMatchObject({ total_rows: 1, rejected_rows: 700, total: 700 });
});

test('a header alone is a file without rows', async () => {
  const { body } = await sendCsv(await world().newOrg(), { name: 'Spring', mapping }, 'Email,Name\n');
  expect(body).toMatchObject({
    status: 'mapped',
    total_rows: 0,
    accepted: 0,
    rejected: 0,
    rejected_rows: [],
  });
});
