import { expect, test } from 'vitest';
import { feedbackAddress } from '../../src/domain/delivery/outgoing/feedback-address.ts';
import { keyring } from '../../src/main/keys.ts';
import { useWorld } from '../support/world.ts';
import { TestOrg } from '../support/test-org.ts';
import { rostrum } from './run-command.ts';
import { rostrumHere } from './run-here.ts';

const world = useWorld();

const run = (...args: string[]) => rostrumHere(args, { DATABASE_URL: world().databaseUrl });
const start = (...args: string[]) => rostrum(args, { DATABASE_URL: world().databaseUrl });

test('organizations and keys are made, narrowed and revoked from the command line', async () => {
  const made = JSON.parse((await start('org', 'create', '--name', 'Made by hand')).stdout);
  expect(made.api_key).toMatch(/^rk_live_[\w-]{43}$/);
  const whole = new TestOrg(world().url, made.org_id, made.key_id, made.api_key);
  expect((await whole.rest('GET /v1/people')).body.total).toBe(0);

  const narrow = JSON.parse(
    (await run('key', 'create', '--org', made.org_id, '--name', 'reader', '--permissions', 'people.read'))
      .stdout,
  );
  const reader = new TestOrg(world().url, made.org_id, narrow.key_id, narrow.api_key);
  expect((await reader.rest('POST /v1/people/identify', { email: 'a@example.com' })).status).toBe(403);

  expect((await run('key', 'revoke', '--org', made.org_id, '--key', narrow.key_id)).code).toBe(0);
  await expect.poll(async () => (await reader.rest('GET /v1/people')).status, { timeout: 1_000 }).toBe(401);
  expect((await whole.rest('GET /v1/people')).status).toBe(200);
});

test('what an organization may send in a month is set and lifted from the command line', async () => {
  const { org_id } = JSON.parse((await run('org', 'create', '--name', 'Limited')).stdout);
  const allow = (...more: string[]) => run('org', 'allow', '--org', org_id, ...more);
  const rows = () =>
    world()
      .admin.query('select channel, per_month from allowances where org_id = $1', [org_id])
      .then((found) => found.rows);
  expect((await allow('--channel', 'email', '--per-month', '5000')).code).toBe(0);
  expect((await allow('--channel', 'email', '--per-month', '6000')).code).toBe(0);
  expect(await rows()).toEqual([{ channel: 'email', per_month: '6000' }]);
  expect((await allow('--channel', 'email')).code).toBe(0);
  expect(await rows()).toEqual([]);
  expect((await start('org', 'allow', '--org', org_id, '--channel', 'pigeon')).code).toBe(2);
  const nobody = '018f0000-0000-7000-8000-000000000000';
  expect((await run('org', 'allow', '--org', nobody, '--channel', 'sms')).stderr).toContain(
    'no organization',
  );
});

test('seed fills an organization with people of any number', async () => {
  const seeded = JSON.parse((await run('seed', '--people', '1234')).stdout);
  const org = new TestOrg(world().url, seeded.org_id, '', seeded.api_key);
  const listed = await org.rest('GET /v1/people?limit=1');
  expect(listed.body.total).toBe(1234);
  const { body } = await org.rest(`GET /v1/people/${listed.body.people[0].id}`);
  expect(Object.keys(body.person.custom_properties)).toHaveLength(5);
});

test('the address for complaints is told, and is the one the mailbox goes by', async () => {
  const { DATABASE_URL, ROSTRUM_SECRET, MAIL_RETURN_PATH_HOST } = world().config;
  const { stdout } = await rostrumHere(['feedback-address'], { DATABASE_URL, ROSTRUM_SECRET });
  expect(stdout).toBe(`${feedbackAddress(keyring({ ROSTRUM_SECRET }), MAIL_RETURN_PATH_HOST)}\n`);
});

test('migrating twice changes nothing', async () => {
  expect((await run('migrate')).stdout).toBe('Nothing to migrate.\n');
});

test('an unknown command shows what there is', async () => {
  const ended = await rostrum(['frobnicate']);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('rostrum: an audience messaging service');
});
