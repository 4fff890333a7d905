import { expect, test } from 'vitest';
import { append, map, mapped } from '../support/import.ts';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import { useWorld } from '../support/world.ts';
import { importsOf, mapping, sendCsv, streamCsv } from './send-csv.ts';

const world = useWorld();
const path = '/v1/imports/csv';
const header = 'Email,Name\n';
const patience = { timeout: 20_000 };
const good = 'ada@example.com,Ada\n';

test('an empty file is refused, and so is one of empty lines', async () => {
  const org = await world().newOrg();
  for (const file of ['', '\n\r\n\n', '\uFEFF']) {
    const answer = await sendCsv(org, { name: 'Spring', mapping }, file);
    expect(asProblem(answer)).toEqual(problem(400, 'invalid_request', path));
    expect(answer.body.errors).toMatchObject([{ code: 'empty_file' }]);
  }
  expect(await importsOf(org)).toEqual([]);
});

test('a mapping that is refused takes its new draft with it', async () => {
  const org = await world().newOrg();
  for (const wrong of [
    { Email: 'email' },
    { Email: 'skip', Name: 'first_name' },
    { Email: 'nonsense', Name: 'skip' },
  ]) {
    const answer = await sendCsv(org, { name: 'Spring', mapping: wrong }, header + good);
    expect(asProblem(answer)).toEqual(problem(400, 'invalid_request', path));
    expect(answer.body.errors[0].pointer).toMatch(/^\/mapping/);
  }
  expect(await importsOf(org)).toEqual([]);
});

test('a file with other columns than the draft is refused, naming them', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, mapping);
  const { body } = await sendCsv(org, { import_id }, 'Email,Surname\nada@example.com,Ada\n');
  expect(body.detail).toMatch(/^Line 1: the header lacks Name and has Surname\b/);
  expect(await importsOf(org)).toMatchObject([{ id: import_id, status: 'mapped', total_rows: 0 }]);
});

test('a draft without a mapping, with rows, or committed takes no file', async () => {
  const org = await world().newOrg();
  const { body: draft } = await sendCsv(org, { name: 'Spring' }, header + good);
  const send = () => sendCsv(org, { import_id: draft.import_id }, header + good);
  expect(asProblem(await send())).toEqual(problem(409, 'import_not_mapped', path));
  await map(org, draft.import_id, mapping);
  expect((await send()).status).toBe(201);
  const before = await contentsOf(world().admin, org);
  expect(asProblem(await send())).toEqual(problem(409, 'import_has_rows', path));
  expect(await contentsOf(world().admin, org)).toEqual(before);
  const { body: seen } = await org.rest(`POST /v1/imports/${draft.import_id}/preview`, {});
  await org.rest('POST /v1/imports/commit', { commit_token: seen.commit_token });
  expect(asProblem(await send())).toEqual(problem(409, 'import_committed', path));
});

test('rows that another call appends meanwhile undo the file, and the import is empty again', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, mapping);
  let between = false;
  const answer = await streamCsv(org, { import_id }, ReadableStream.from(slowly()));
  expect(asProblem(answer)).toEqual(problem(409, 'import_busy', path));
  expect(between).toBe(true);
  expect(await importsOf(org)).toMatchObject([{ id: import_id, status: 'mapped', total_rows: 0 }]);
  const parts = await world().admin.query('select 1 from import_parts where org_id = $1', [org.id]);
  expect(parts.rowCount).toBe(0);

  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(header + good.repeat(600));
    await expect.poll(() => importsOf(org), patience).toMatchObject([{ total_rows: 500 }]);
    await append(org, import_id, [{ Email: 'joan@example.com', Name: 'Joan' }]);
    between = true;
    yield Buffer.from(good.repeat(600));
  }
});

test('a draft that is canceled while its file is read is gone, and the file is told so', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, mapping);
  const answer = await streamCsv(org, { import_id }, ReadableStream.from(slowly()));
  expect(asProblem(answer)).toEqual(problem(404, 'not_found', path));
  expect(await importsOf(org)).toEqual([]);

  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(header + good.repeat(600));
    await expect.poll(() => importsOf(org), patience).toMatchObject([{ total_rows: 500 }]);
    await org.rest(`DELETE /v1/imports/${import_id}`);
    yield Buffer.from(good.repeat(600));
  }
});

test('a file that cannot be taken back says which import to cancel', async () => {
  const org = await world().newOrg();
  const { admin } = world();
  const { status, body } = await streamCsv(org, { name: 'Spring', mapping }, ReadableStream.from(slowly()));
  await admin.query('rollback');
  const [left] = (await importsOf(org)) as { id: string }[];
  expect(status).toBe(400);
  expect(body.detail).toContain('never closed');
  expect(body.detail).toContain(`Rows of the file are left in the import ${left!.id}: cancel it.`);

  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(header + good.repeat(600));
    await expect.poll(() => importsOf(org), patience).toMatchObject([{ total_rows: 500 }]);
    await admin.query('begin');
    await admin.query('select 1 from imports where org_id = $1 for update', [org.id]);
    yield Buffer.from('"an open quote');
  }
});
