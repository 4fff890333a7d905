import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import pino from 'pino';
import { announceSetup } from '../../src/main/announce-setup.ts';
import { useWorld } from '../support/world.ts';
import { goodPassword, moveOn, signedIn, Visitor } from './visitor.ts';

const world = useWorld();
const email = 'first@example.com';

/** What one process after another says in its log. */
async function announced(): Promise<{ url?: string; code?: string }> {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  await announceSetup(world().config, world().database, log);
  return JSON.parse(lines[0] ?? '{}') as { url?: string; code?: string };
}

const setUp = (code: string, password = goodPassword) =>
  new Visitor(world().url).post('/setup', { code, email, password });

test('before any process offered it, nobody sets anything up', async () => {
  expect((await new Visitor(world().url).get('/setup')).status).toBe(404);
  expect((await setUp('')).status).toBe(404);
});

test('two processes that start at once say the same code', async () => {
  const [one, two] = await Promise.all([announced(), announced()]);
  expect(one.code).toMatch(/^[A-Z2-7]{24}$/);
  expect(two.code).toBe(one.code);
  expect(one.url).toBe(`${world().url}/setup`);
  expect((await new Visitor(world().url).get('/setup')).status).toBe(200);
  const { rows } = await world().admin.query('select s::text from auth.setup s');
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(one.code!).toString('hex'));
});

test('the code is guessed twenty times an hour, from anywhere, and then not even looked at', async () => {
  const { code } = await announced();
  const answers = [];
  for (let guess = 0; guess < 20; guess++)
    answers.push((await setUp(randomBytes(15).toString('hex'))).status);
  expect(new Set(answers)).toEqual(new Set([401]));
  expect((await setUp(code!)).status).toBe(429);
  moveOn(world(), 3_600_001);
});

test('it makes the first account, once, also at once, and is gone', async () => {
  const { code } = await announced();
  expect((await setUp(code!, 'short')).status).toBe(400);
  expect((await new Visitor(world().url).post('/setup', { code: code!, email: 'x' })).status).toBe(400);
  const typed = code!.toLowerCase().replaceAll(/(.{4})/g, '$1-');
  const both = await Promise.all([setUp(typed), setUp(typed)]);
  expect(both.map(({ status }) => `${status}`).toSorted()).toEqual(['303', '404']);
  expect((await (await signedIn(world(), email)).get('/account')).status).toBe(200);
  expect((await new Visitor(world().url).get('/setup')).status).toBe(404);
  expect((await setUp(code!)).status).toBe(404);
  expect(await announced()).toEqual({});
});

test('once somebody has an account an offer that is still there is worth nothing', async () => {
  const { keyring } = await import('../../src/main/keys.ts');
  const sealed = keyring(world().config).stored.seal(Buffer.from('A'.repeat(24)), 'code of the first user');
  await world().admin.query('insert into auth.setup (code) values ($1)', [sealed]);
  expect((await setUp('A'.repeat(24))).status).toBe(404);
});

test('a form of another page sets nothing up', async () => {
  const { status } = await new Visitor(world().url).post(
    '/setup',
    { code: 'x', email, password: goodPassword },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  );
  expect(status).toBe(403);
});
