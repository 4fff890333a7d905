import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { rostrum } from './run-command.ts';
import { rostrumHere } from './run-here.ts';

const world = useWorld();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rostrum-routes-'));
});
afterAll(() => rm(folder, { recursive: true }));

const password = 'hunter2-hunter2-hunter2';
const said: string[] = [];
async function run(...args: string[]) {
  const { DATABASE_URL, ROSTRUM_SECRET } = world().config;
  const ended = await (args.includes('twilio') ? rostrum : rostrumHere)(args, {
    DATABASE_URL,
    ROSTRUM_SECRET,
  });
  said.push(ended.stdout, ended.stderr);
  return ended;
}
async function save(verb: string, name: string, kind: string, ...lines: string[]) {
  const file = join(folder, 'settings.env');
  await writeFile(file, lines.join('\n'));
  return run('route', verb, name, '--kind', kind, '--settings', file);
}

test('the operator makes, gives, changes and removes a route, and its secret is never told', async () => {
  const { id } = await world().newOrg();
  const url = `SMTP_URL=smtp://acme:${password}@mail.example:587`;
  const added = await save('add', 'acme', 'smtp', url, 'SMTP_CONNECTIONS=3');
  const shown = {
    name: 'acme',
    kind: 'smtp',
    channel: 'email',
    address: 'smtp://mail.example:587',
    connections: 3,
  };
  expect(JSON.parse(added.stdout)).toEqual(shown);
  expect((await save('add', 'acme', 'smtp', url)).stderr).toContain('There is a route acme');
  const chosen = await run('org', 'route', id, '--channel', 'email', '--route', 'acme');
  expect(JSON.parse(chosen.stdout)).toEqual({ org_id: id, channel: 'email', route: 'acme' });
  expect(JSON.parse((await run('route', 'list')).stdout)).toEqual({
    ...shown,
    organizations: 1,
    changed_at: expect.any(String),
  });
  const refused = await run('route', 'remove', 'acme');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(id)]);
  expect(refused.stderr).toContain('rostrum org route ID --channel');
  const changed = await save('change', 'acme', 'smtp', url.replace('587', '2525'));
  expect(JSON.parse(changed.stdout)).toEqual({
    ...shown,
    address: 'smtp://mail.example:2525',
    connections: 10,
  });
  await run('org', 'route', id, '--channel', 'email', '--route', 'default');
  expect(JSON.parse((await run('route', 'remove', 'acme')).stdout)).toEqual({ name: 'acme', removed: true });
  expect((await run('route', 'list')).stdout).toBe('');
  for (const words of said) expect(words).not.toContain(password);
}, 60_000);

test('what is wrong is refused with the reason and without the secret', async () => {
  const { id } = await world().newOrg();
  const token = `TWILIO_AUTH_TOKEN=${password}`;
  const account = `TWILIO_ACCOUNT_SID=AC${'0'.repeat(32)}`;
  const results = [
    [await save('add', 'default', 'smtp', 'SMTP_URL=smtp://a.example'), 'not default'],
    [await save('add', 'x', 'pigeon', 'SMTP_URL=smtp://a.example'), '--kind takes smtp, twilio, smpp'],
    [await save('add', 'x', 'smtp', `SMTP_URL=http://u:${password}@a.example`), 'must be smtp://'],
    [await save('add', 'x', 'smtp', `SMPP_URL=smpp://u:${password}@a.example`), 'takes SMTP_URL'],
    [await save('add', 'x', 'smtp', 'SMTP_NAME=a.example'), 'SMTP_URL is not set'],
    [await save('add', 'x', 'twilio', account, token), 'PUBLIC_URL is not set'],
    [await save('add', 'x', 'twilio', account, token, 'TWILIO_BASE_URL=http://10.0.0.1'), 'must be https://'],
    [await save('change', 'x', 'smtp', 'SMTP_URL=smtp://a.example'), 'There is no route x'],
    [await run('route', 'remove', 'x'), 'There is no route x'],
    [await run('org', 'route', id, '--channel', 'email', '--route', 'x'), 'There is no route x for email'],
    [
      await run(
        'org',
        'route',
        '018f0000-0000-7000-8000-000000000000',
        '--channel',
        'sms',
        '--route',
        'default',
      ),
      'no organization',
    ],
  ] as const;
  for (const [{ code, stderr }, words] of results)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  for (const words of said) expect(words).not.toContain(password);
}, 60_000);
