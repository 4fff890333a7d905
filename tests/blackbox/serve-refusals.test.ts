import { expect, test } from 'vitest';
import { startServer } from '../../benches/support/server-process.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { rostrum } from './run-command.ts';
import { rostrumHere } from './run-here.ts';
import { shipped } from '../../benches/support/shipped.ts';

const world = useWorld();

test.each([
  [{ DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL must be a postgres:// address'],
  [{ PORT: 'eighty' }, 'PORT'],
  [{ ROSTRUM_SECRET: 'short' }, 'ROSTRUM_SECRET must have at least 32 characters'],
  [{ ROSTRUM_SECRET: '' }, 'ROSTRUM_SECRET is not set'],
])('a wrong setting is named at start: %o', async (env, message) => {
  const start = 'DATABASE_URL' in env || 'PORT' in env ? rostrumHere : rostrum;
  const ended = await start(['serve', 'api'], { ROSTRUM_SECRET: 'x'.repeat(40), ...env });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).not.toContain('    at ');
});

test('a login that row level security does not hold for is refused at start, unless that is allowed', async () => {
  const env = { DATABASE_URL: world().databaseUrl, ROSTRUM_SECRET: 'x'.repeat(40) };
  const refused = await rostrum(['serve', 'api'], env);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('bypasses row level security')]);
  await world().admin.query(`
    create role rostrum_served login in role rostrum_app, rostrum_relay, rostrum_auth;
    create role rostrum_bypassing login bypassrls in role rostrum_app, rostrum_relay, rostrum_auth`);
  const login = (name: string) => Object.assign(new URL(env.DATABASE_URL), { username: name }).href;
  const bypassing = await rostrum(['serve', 'api'], { ...env, DATABASE_URL: login('rostrum_bypassing') });
  expect(bypassing.code).toBe(2);
  const allowances = [
    { DATABASE_URL: login('rostrum_served'), DATABASE_ALLOW_SUPERUSER: 'false' },
    // In the gate tests/faces/operator.test.ts starts every part so.
    ...(isLong ? [{ DATABASE_ALLOW_SUPERUSER: 'true' }] : []),
  ];
  for (const allowed of allowances) {
    const server = await startServer([shipped, 'serve', 'api'], { ...env, ...allowed });
    expect((await fetch(`${server.url}/v1/openapi.json`)).status).toBe(200);
    await server.stop();
  }
  await world().admin.query('drop role rostrum_served; drop role rostrum_bypassing');
});
