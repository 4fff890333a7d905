import { expect, test } from 'vitest';
import { newSignedIn } from '../support/member.ts';
import { useWorld } from '../support/world.ts';
import { rostrum } from './run-command.ts';
import { rostrumHere } from './run-here.ts';

const world = useWorld();
const run = (...args: string[]) => rostrumHere(args, { DATABASE_URL: world().databaseUrl });
const start = (...args: string[]) => rostrum(args, { DATABASE_URL: world().databaseUrl });

test('an organization is suspended, resumed and deleted by its operator, who has to name it', async () => {
  const { id } = await world().newOrg();
  const suspended = await start('org', 'suspend', id, '--reason', 'It did not pay');
  expect(JSON.parse(suspended.stdout)).toEqual({ org_id: id, state: 'suspended' });
  expect(JSON.parse((await run('org', 'list')).stdout)).toMatchObject({
    state: 'suspended',
    state_reason: 'It did not pay.',
  });
  expect((await start('org', 'suspend', id, '--reason', 'x')).stderr).toContain(
    'This organization is suspended.',
  );
  expect(JSON.parse((await run('org', 'resume', id)).stdout).state).toBe('active');
  for (const [args, said] of [
    [['delete', id, '--confirm', 'another'], 'takes the name of the organization'],
    [['delete', id], '--confirm is missing'],
    [['suspend', id], '--reason is missing'],
    [['resume'], 'rostrum org resume ID'],
    [['resume', '018f0000-0000-7000-8000-000000000000'], 'no organization with this id'],
  ] as const) {
    expect((await run('org', ...args)).stderr).toContain(said);
  }
  expect(JSON.parse((await run('org', 'delete', id, '--confirm', 'A test organization')).stdout).state).toBe(
    'deleting',
  );
  const { rows } = await world().admin.query('select service from outbox where org_id = $1', [id]);
  expect(rows).toEqual([{ service: 'OrganizationRemoval' }]);
});

test('an operator makes an organization for a user, and gives it to another', async () => {
  const [one, two] = [await newSignedIn(world()), await newSignedIn(world())];
  const made = await run('org', 'create', '--name', 'Acme', '--test', '--owner', one.email);
  const { org_id } = JSON.parse(made.stdout) as { org_id: string };
  const members = async () => {
    const { rows } = await world().admin.query<{ email: string; role: string }>(
      'select email, role from members where org_id = $1 order by since, id',
      [org_id],
    );
    return rows;
  };
  expect(await members()).toEqual([{ email: one.email, role: 'owner' }]);
  const given = await run('org', 'transfer', org_id, '--to', two.email);
  expect(JSON.parse(given.stdout)).toEqual({ org_id, owner: { user_id: two.userId, email: two.email } });
  expect(await members()).toEqual([
    { email: one.email, role: 'admin' },
    { email: two.email, role: 'owner' },
  ]);
  const nobody = await run('org', 'transfer', org_id, '--to', 'nobody@example.com');
  expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('no account')]);
});
