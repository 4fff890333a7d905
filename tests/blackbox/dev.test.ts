import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { goodPassword, Visitor } from '../accounts/visitor.ts';
import { TestOrg } from '../support/test-org.ts';
import { freePort } from '../../src/main/free-ports.ts';
import { startCommand, type Command } from './run-command.ts';
import { rostrumHere } from './run-here.ts';

const name = `${inject('templateDatabase').replace('_template', '')}_dev_${randomBytes(4).toString('hex')}`;

function databaseUrl(): string {
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

afterAll(async () => {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
});

async function readyLine(command: Command): Promise<Record<string, string>> {
  for (let attempt = 0; attempt < 1_800; attempt++) {
    if (command.stdout().includes('\n')) return JSON.parse(command.stdout()) as Record<string, string>;
    await pause(100);
  }
  throw new Error(`no line on standard output: ${command.stdout()}`);
}

test('npm run dev makes its database, says one line when ready, serves both faces and drains on SIGTERM', async () => {
  const port = await freePort();
  const command = startCommand('npm', ['run', 'dev', '--', '--json', '--port', String(port)], {
    DATABASE_URL: databaseUrl(),
  });
  const ready = await readyLine(command);
  expect(ready).toEqual({
    ready: true,
    base_url: `http://127.0.0.1:${port}`,
    mcp_url: `http://127.0.0.1:${port}/mcp`,
    api_key: expect.stringMatching(/^rk_test_/),
    org_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    sign_in_url: expect.stringMatching(/\/link\/[\w-]{43}$/),
  });
  const owner = new Visitor(ready['base_url']!);
  const signInPath = new URL(ready['sign_in_url']!).pathname;
  expect((await owner.post(signInPath)).location).toBe('/account');
  expect((await new Visitor(ready['base_url']!).post(signInPath)).status).toBe(404);
  const org = new TestOrg(ready['base_url']!, ready['org_id'] as never, '', ready['api_key']!);
  const listed = await org.rest('GET /v1/people?limit=2');
  expect(listed.body.people).toHaveLength(2);
  expect(listed.body.total).toBe(200);
  expect(await org.toolNames()).toContain('identify_person');

  // Without a mail server the link of a mail is printed.
  const made = await rostrumHere(['user', 'create', '--email', 'dev@example.com'], {
    DATABASE_URL: databaseUrl(),
    PUBLIC_URL: ready['base_url']!,
  });
  const { link } = JSON.parse(made.stdout) as { link: string };
  const visitor = new Visitor(ready['base_url']!);
  await visitor.post(new URL(link).pathname, { password: goodPassword });
  await visitor.post('/forgotten', { email: 'dev@example.com' });
  await expect
    .poll(() => command.stderr(), { timeout: 10_000 })
    .toMatch(/Mail to dev@example\.com[^]*http:\/\/127\.0\.0\.1:\d+\/link\/[\w-]{43}/);

  const person_id = await org.person({ email: 'dev@example.com', custom_properties: { seats: 7 } });
  await expect
    .poll(async () => (await org.tool('get_person_properties', { person_id })).body.properties, {
      timeout: 60_000,
    })
    .toMatchObject([{ key: 'seats', value: 7 }]);

  command.child.kill('SIGTERM');
  const ended = await command.ended;
  expect(ended.code).toBe(0);
  expect(ended.stdout.trim().split('\n')).toHaveLength(1);
  await expect(fetch(`${ready['base_url']}/health`)).rejects.toThrow('fetch failed');
}, 300_000);
