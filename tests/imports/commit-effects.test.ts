import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { holderOf, holdersOf, importList } from './through-engine.ts';

const world = useWorld({ engine: true });

const everyIdentifier = {
  Id: 'external_user_id',
  Customer: 'payment_customer_id',
  Mail: 'email',
  Cookie: 'anonymous_id',
  Mobile: 'phone',
  'Mail 2': 'alternate_email',
  'Mobile 2': 'alternate_phone',
};

test('IMP-022 IMP-023 IMP-024 IMP-025 IMP-026 IMP-027 IMP-028 a row makes a person of everything it calls them', async () => {
  const org = await world().newOrg();
  const done = await importList(org, everyIdentifier, [
    {
      Id: 'u-1',
      Customer: 'cus_1',
      Mail: 'ada@example.com',
      Cookie: 'anon-1',
      Mobile: '+41441234567',
      'Mail 2': 'ada@work.example',
      'Mobile 2': '+41447654321',
    },
    { Mobile: '+41440000001' },
    { Mail: 'alone@example.com' },
  ]);
  expect(done).toMatchObject({ status: 'completed', succeeded: 3, people_created: 3, people_merged: 0 });
  expect(await holderOf(world(), org, 'u-1')).toMatchObject({
    external_user_id: 'u-1',
    primary_email: 'ada@example.com',
    primary_phone: '+41441234567',
    identifiers: [
      'anonymous_id anon-1, primary',
      'email ada@example.com, primary',
      'email ada@work.example',
      'org_assigned_user_id u-1, primary',
      'payment_customer_id cus_1, primary',
      'phone +41441234567, primary',
      'phone +41447654321',
    ],
  });
  expect(await holderOf(world(), org, '+41440000001')).toMatchObject({
    primary_phone: '+41440000001',
    primary_email: null,
  });
  expect(await holderOf(world(), org, 'alone@example.com')).toMatchObject({
    primary_email: 'alone@example.com',
    primary_phone: null,
  });
});

test('IMP-022 IMP-023 IMP-024 IMP-025 IMP-026 IMP-027 IMP-028 each finds whoever holds it, and takes no primary away', async () => {
  const org = await world().newOrg();
  const known = [
    await org.person({ external_user_id: 'u-1', email: 'one@example.com', phone: '+41440000001' }),
    await org.person({ email: 'two@example.com' }),
    await org.person({ phone: '+41440000003' }),
    await org.person({ anonymous_id: 'anon-4' }),
    await org.person({ email: 'five@example.com', payment_customer_id: 'cus_5' }),
  ];
  const done = await importList(org, everyIdentifier, [
    { Id: 'u-1', Mail: 'one@work.example', Mobile: '+41440000011' },
    { Id: 'u-2', Mail: 'two@example.com', 'Mail 2': 'two@work.example' },
    { Mobile: '+41440000003', Mail: 'three@example.com', 'Mobile 2': '+41440000033' },
    { Cookie: 'anon-4', Customer: 'cus_4' },
    { Customer: 'cus_5', Mobile: '+41440000005' },
  ]);
  expect(done).toMatchObject({ status: 'completed', succeeded: 5, people_created: 0, people_merged: 0 });
  const sent = ['u-1', 'u-2', '+41440000003', 'anon-4', 'cus_5'];
  const people = await holdersOf(world(), org, sent);
  expect(people.map(({ id }) => id)).toEqual(known);
  expect(people.map(({ identifiers }) => identifiers)).toEqual([
    [
      'email one@example.com, primary',
      'email one@work.example',
      'org_assigned_user_id u-1, primary',
      'phone +41440000001, primary',
      'phone +41440000011',
    ],
    ['email two@example.com, primary', 'email two@work.example', 'org_assigned_user_id u-2, primary'],
    ['email three@example.com, primary', 'phone +41440000003, primary', 'phone +41440000033'],
    ['anonymous_id anon-4, primary', 'payment_customer_id cus_4, primary'],
    ['email five@example.com, primary', 'payment_customer_id cus_5, primary', 'phone +41440000005, primary'],
  ]);
  expect(people[0]).toMatchObject({ primary_email: 'one@example.com', primary_phone: '+41440000001' });
});

test('TEN-019 the same addresses in two organizations stay two people', async () => {
  const [here, there] = [await world().newOrg(), await world().newOrg()];
  const away = await there.person({ email: 'both@example.com', external_user_id: 'u-1', first_name: 'Away' });
  const mapping = { Mail: 'email', Id: 'external_user_id', First: 'first_name' };
  const done = await importList(here, mapping, [{ Mail: 'both@example.com', Id: 'u-1', First: 'Here' }]);
  expect(done).toMatchObject({ people_created: 1 });
  const home = await holderOf(world(), here, 'both@example.com');
  expect(home).toMatchObject({ first_name: 'Here', external_user_id: 'u-1' });
  expect(home.id).not.toBe(away);
  expect(await holderOf(world(), there, 'both@example.com')).toMatchObject({ id: away, first_name: 'Away' });
});

test('IMP-062 IMP-063 rows that merge are left out or merge, as it was decided', async () => {
  const org = await world().newOrg();
  const make = async (n: number) => [
    await org.person({ external_user_id: `u-${n}`, first_name: `First ${n}` }),
    await org.person({ email: `p${n}@example.com`, last_name: `Last ${n}` }),
  ];
  const [[kept], [, gone]] = [await make(1), await make(2)];
  const mapping = { Id: 'external_user_id', Mail: 'email' };
  const row = (n: number) => ({ Id: `u-${n}`, Mail: `p${n}@example.com` });
  const skipped = await importList(org, mapping, [row(1), { Id: 'u-9' }], 'skip_rows');
  expect(skipped).toMatchObject({
    status: 'completed',
    succeeded: 1,
    failed: 0,
    skipped: 1,
    people_merged: 0,
  });
  expect(await holderOf(world(), org, 'u-1')).toMatchObject({ id: kept, primary_email: null });
  const merged = await importList(org, mapping, [row(2)], 'allow');
  expect(merged).toMatchObject({ status: 'completed', succeeded: 1, skipped: 0, people_merged: 1 });
  expect(await holderOf(world(), org, 'u-2')).toMatchObject({
    first_name: 'First 2',
    last_name: 'Last 2',
    primary_email: 'p2@example.com',
  });
  expect((await org.rest(`GET /v1/people/${gone}`)).status).toBe(404);
});
