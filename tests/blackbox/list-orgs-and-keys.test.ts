import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { TestOrg } from '../support/test-org.ts';
import { rostrum } from './run-command.ts';
import { rostrumHere } from './run-here.ts';

const world = useWorld();

const run = (...args: string[]) => rostrumHere(args, { DATABASE_URL: world().databaseUrl });
const start = (...args: string[]) => rostrum(args, { DATABASE_URL: world().databaseUrl });

const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('organizations and keys are listed without their secrets, and a first key may change settings on request', async () => {
  const create = async (...more: string[]) =>
    JSON.parse((await run('org', 'create', '--name', 'Listed', ...more)).stdout);
  const [usual, whole] = await Promise.all([create(), create('--permissions', 'all', '--test')]);
  const settings = (made: { org_id: TestOrg['id']; key_id: string; api_key: string }) =>
    new TestOrg(world().url, made.org_id, made.key_id, made.api_key).rest('PATCH /v1/settings', {});
  expect((await settings(whole)).status).toBe(200);
  const refused = await settings(usual);
  expect(refused.status).toBe(403);
  // What the refusal says to do helps.
  const [, ...said] = /rostrum (key create .*)$/.exec(refused.body.detail)![1]!.split(' ');
  const mended = JSON.parse((await run('key', ...said)).stdout);
  expect((await settings(mended)).status).toBe(200);
  await run('key', 'revoke', '--org', usual.org_id, '--key', usual.key_id);

  const nobody = '018f0000-0000-7000-8000-000000000000';
  const [{ stdout: orgs }, { stdout: keys }, unknown, wrong] = await Promise.all([
    run('org', 'list'),
    start('key', 'list', '--org', usual.org_id),
    run('key', 'list', '--org', nobody),
    run('org', 'create', '--name', 'X', '--permissions', 'some'),
  ]);
  expect(linesOf(orgs)).toMatchObject([
    { org_id: expect.any(String), name: 'Listed', currency: 'USD', created_at: expect.any(String) },
    { org_id: expect.any(String), name: 'Listed' },
  ]);
  expect(Object.fromEntries(linesOf(orgs).map(({ org_id, mode }) => [org_id, mode]))).toEqual({
    [usual.org_id]: 'live',
    [whole.org_id]: 'test',
  });
  expect(linesOf(keys)).toMatchObject([
    { key_id: usual.key_id, name: 'first key', state: 'revoked', revoked_at: expect.any(String) },
    {
      key_id: mended.key_id,
      name: 'NAME',
      state: 'valid',
      permissions: ['settings.write'],
      expires_at: null,
    },
  ]);
  expect(orgs + keys).not.toMatch(/rk_|hash/);
  expect(unknown.stderr).toContain('no organization');
  expect(wrong.code).toBe(2);
});
