import { expect, test } from 'vitest';
import { goodPassword, signedIn, Visitor } from '../accounts/visitor.ts';
import { useWorld } from '../support/world.ts';
import { rostrum } from './run-command.ts';
import { rostrumHere } from './run-here.ts';

const world = useWorld();

const run = (...args: string[]) =>
  rostrumHere(['user', ...args], { DATABASE_URL: world().databaseUrl, PUBLIC_URL: world().url });
const start = (...args: string[]) =>
  rostrum(['user', ...args], { DATABASE_URL: world().databaseUrl, PUBLIC_URL: world().url });

test('an operator makes a link to an account and one to a new password, and hears when there is none to make', async () => {
  const made = JSON.parse((await run('create', '--email', 'Robin@Example.com')).stdout) as Record<
    string,
    string
  >;
  expect(made).toEqual({
    email: 'robin@example.com',
    link: expect.stringMatching(`^${world().url}/link/[\\w-]{43}$`),
  });
  const visitor = new Visitor(world().url);
  expect((await visitor.post(new URL(made['link']!).pathname, { password: goodPassword })).location).toBe(
    '/account',
  );
  const reset = JSON.parse((await run('reset', '--email', 'robin@example.com')).stdout) as { link: string };
  const password = 'a better phrase still';
  await new Visitor(world().url).post(new URL(reset.link).pathname, { password });
  expect((await visitor.get('/account')).location).toBe('/sign-in');
  expect((await (await signedIn(world(), 'robin@example.com', password)).get('/account')).status).toBe(200);

  const [twice, nobody, noAddress] = await Promise.all([
    run('create', '--email', 'robin@example.com'),
    start('reset', '--email', 'nobody@example.com'),
    run('create', '--email', 'nobody'),
  ]);
  expect(twice.stderr).toContain('This address has an account.');
  expect(nobody.stderr).toContain('This address has no account.');
  expect(noAddress.stderr).toContain('--email takes an email address.');
  expect([twice.code, nobody.code, noAddress.code]).toEqual([2, 2, 2]);
});
