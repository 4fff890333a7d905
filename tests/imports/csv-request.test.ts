import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { permissions } from '../../src/kernel/caller.ts';
import { mapped } from '../support/import.ts';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import { useWorld } from '../support/world.ts';
import { importsOf, mapping, sendCsv, streamCsv } from './send-csv.ts';

const world = useWorld();
const path = '/v1/imports/csv';
const file = 'Email,Name\nada@example.com,Ada\n';

test('AUT-014 a file needs people.write, and that alone', async () => {
  const org = await world().newOrg();
  const without = await world().newKey(
    org,
    permissions.filter((one) => one !== 'people.write'),
  );
  const refused = await sendCsv(without, { name: 'Spring', mapping }, file);
  expect(asProblem(refused)).toEqual(problem(403, 'forbidden', path));
  expect(refused.body.detail).toContain('people.write');
  expect(await importsOf(org)).toEqual([]);
  const only = await world().newKey(org, ['people.write']);
  expect((await sendCsv(only, { name: 'Spring', mapping }, file)).status).toBe(201);
});

test('TEN-014 the import_id of another organization behaves as one that nobody has', async () => {
  const mine = await world().newOrg();
  const theirs = await world().newOrg();
  const import_id = await mapped(theirs, mapping);
  const before = await contentsOf(world().admin, theirs);
  const answers = [];
  for (const id of [import_id, randomUUID()]) {
    const answer = await sendCsv(mine, { import_id: id }, file);
    expect(asProblem(answer)).toEqual(problem(404, 'not_found', path));
    answers.push({ ...answer.body, request_id: undefined });
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(await contentsOf(world().admin, theirs)).toEqual(before);
  expect(await importsOf(mine)).toEqual([]);
});

test('a stranger is refused before a byte of the file is read', async () => {
  const org = await world().newOrg();
  // Nothing is ever sent after the first line: an answer means that nobody waited for it.
  const endless = () =>
    new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(Buffer.from('Email,Name\n')) });
  const stranger = await streamCsv(org, { name: 'Spring' }, endless(), { authorization: 'rk_test_nobody' });
  expect(asProblem(stranger)).toEqual(problem(401, 'unauthenticated', path));
  const reader = await world().newKey(org, ['people.read']);
  expect((await streamCsv(reader, { name: 'Spring' }, endless())).status).toBe(403);
  expect((await streamCsv(org, { name: 'Spring', mapping: 'x' }, endless())).status).toBe(400);
});

test.each(['application/json', 'text/plain', 'application/vnd.ms-excel', 'multipart/form-data; boundary=x'])(
  'a body called %s is refused, saying what is taken',
  async (type) => {
    const answer = await sendCsv(await world().newOrg(), { name: 'Spring' }, file, { 'content-type': type });
    expect(asProblem(answer)).toEqual(problem(415, 'unsupported_media_type', path));
    expect(answer.body.detail).toContain('text/csv');
  },
);

test('the character set may be named when it is UTF-8, and no other is taken', async () => {
  const org = await world().newOrg();
  const send = (charset: string) =>
    sendCsv(org, { name: 'Spring' }, file, {
      'content-type': `Text/CSV; header=present; charset=${charset}`,
    });
  expect((await send('"UTF-8"')).status).toBe(201);
  const refused = await send('iso-8859-1');
  expect(asProblem(refused)).toEqual(problem(415, 'unsupported_media_type', path));
  expect(refused.body.detail).toContain('UTF-8');
});

test('an Idempotency-Key is refused rather than ignored', async () => {
  const org = await world().newOrg();
  const answer = await sendCsv(org, { name: 'Spring' }, file, { 'idempotency-key': 'once' });
  expect(asProblem(answer)).toEqual(problem(400, 'invalid_request', path));
  expect(answer.body.detail).toContain('Idempotency-Key');
  expect(await importsOf(org)).toEqual([]);
});

test.each([
  [{}, '', 'custom'],
  [{ name: 'Spring', import_id: randomUUID() }, '', 'custom'],
  [{ import_id: randomUUID(), mapping }, '', 'custom'],
  [{ name: '  ' }, '/name', 'too_small'],
  [{ name: 'Spring', file_name: 'a'.repeat(301) }, '/file_name', 'too_big'],
  [{ name: 'Spring', mapping: '{' }, '/mapping', 'custom'],
  [{ name: 'Spring', mapping: '[]' }, '/mapping', 'invalid_type'],
  [{ import_id: 'spring' }, '/import_id', 'invalid_format'],
  [{ name: 'Spring', merges: 'allow' }, '/merges', 'unknown_field'],
])('the query %j is refused at %j', async (query, pointer, code) => {
  const org = await world().newOrg();
  const answer = await sendCsv(org, query, file);
  expect(asProblem(answer)).toEqual(problem(400, 'invalid_request', path));
  expect(answer.body.errors).toMatchObject([{ pointer, code }]);
  expect(await importsOf(org)).toEqual([]);
});

test('a file counts as one write of the minute, and says how the organization stands', async () => {
  const org = await world().newOrg();
  const remaining = async (): Promise<number> => {
    const { headers } = await sendCsv(org, { name: 'Spring', mapping }, file);
    expect(headers.get('ratelimit-policy')).toMatch(/^"write";/);
    return Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
  };
  const still = world().clock.now();
  world().clock.now = () => still;
  try {
    expect((await remaining()) - (await remaining())).toBe(1);
  } finally {
    world().clock.now = () => new Date();
  }
});

test('neither the log nor the audit rows hold what the file does', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, mapping);
  const taken = await sendCsv(org, { import_id }, 'Email,Name\nsecret@example.com,Hidden\nhidden,Nobody\n');
  expect(taken.body).toMatchObject({ accepted: 1, rejected: 1 });
  await sendCsv(org, { name: 'Spring', mapping }, 'Email,Name\nsecret@example.com,"Hidden\n');
  const { rows } = await world().admin.query('select t::text from audit_log t where org_id = $1', [org.id]);
  expect(rows.length).toBeGreaterThanOrEqual(3);
  const written =
    JSON.stringify(rows) +
    world()
      .logLines.filter((line) => line.includes(org.id))
      .join('');
  expect(written).toContain('import_csv');
  expect(written).not.toMatch(/secret@|hidden|Nobody/i);
});
