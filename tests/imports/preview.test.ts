import { expect, test } from 'vitest';
import { addProperty, mapped, withRows } from '../support/import.ts';
import { preview } from '../support/import-preview.ts';
import { contentsOf } from '../support/org-contents.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('IMP-054 a preview writes nothing, whatever it would do', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'tier');
  for (const email of ['ann@example.com', 'bob@example.com']) await org.person({ email });
  await org.person({ phone: '+15550001' });
  const id = await withRows(
    org,
    {
      mail: 'email',
      phone: 'phone',
      first: 'first_name',
      tier: { property: 'tier' },
      size: { new_property: { key: 'size', name: 'Size', type: 'number' } },
      out: 'unsubscribed_from_emails',
    },
    [
      { mail: 'ann@example.com', phone: '+15550001', first: 'Ann', tier: 'gold', size: 4, out: 'yes' },
      { mail: 'new@example.com', first: 'New', tier: 'iron', size: 5 },
    ],
  );
  const before = await contentsOf(world().admin, org);
  for (const merges of ['block', 'skip_rows', 'allow']) await preview(org, id, merges);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('IMP-055 it counts people to create, to update and unchanged', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'same@example.com', first_name: 'Sam' });
  await org.person({ email: 'fill@example.com' });
  await org.person({ email: 'gain@example.com' });
  await org.person({ email: 'away@example.com' });
  const id = await withRows(org, { mail: 'email', ext: 'external_user_id', first: 'first_name' }, [
    { mail: 'same@example.com', first: 'Other' },
    { mail: 'fill@example.com', first: 'Phil' },
    { mail: 'gain@example.com', ext: 'x1' },
    { ext: 'x1', first: '' },
    { mail: 'new1@example.com', ext: 'x2' },
    { mail: 'NEW1@example.com' },
    { ext: 'x3' },
  ]);
  expect(await preview(org, id)).toMatchObject({
    import_id: id,
    rows: 7,
    people_to_create: 2,
    people_to_update: 2,
    people_unchanged: 1,
    merging_rows: 0,
    people_merged_away: 0,
    first_merging_rows: [],
  });
});

test('IMP-057 it counts people to opt out once, and nobody who is out already or says yes', async () => {
  const org = await world().newOrg();
  const out = await org.person({ email: 'out@example.com' });
  await org.rest(`PATCH /v1/people/${out}/opt-outs`, { email_opt_out: true });
  await org.person({ email: 'in@example.com' });
  const id = await withRows(org, { mail: 'email', sub: 'subscribed_to_emails' }, [
    { mail: 'out@example.com', sub: 'no' },
    { mail: 'in@example.com', sub: 'false' },
    { mail: 'in@example.com', sub: 'unsubscribed' },
    { mail: 'in@example.com', sub: 'yes' },
    { mail: 'new@example.com', sub: '0' },
    { mail: 'glad@example.com', sub: 'subscribed' },
  ]);
  expect(await preview(org, id)).toMatchObject({
    people_to_opt_out: 2,
    suppressed_again: 0,
    people_to_create: 2,
    people_to_update: 1,
    people_unchanged: 1,
  });
});

test('IMP-058 it names the properties to create', async () => {
  const org = await world().newOrg();
  const size = { key: 'size', name: 'Size of it', type: 'number' };
  const id = await withRows(org, { mail: 'email', size: { new_property: size } }, [{ mail: 'a@b.co' }]);
  expect(await preview(org, id)).toMatchObject({ properties_to_create: [size], values_changed: [] });
});

test('a draft without a mapping or without rows cannot be committed, and says what to do', async () => {
  const org = await world().newOrg();
  const { body: draft } = await org.rest('POST /v1/imports', { name: 'List', columns: ['mail'] });
  const refused = await org.rest(`POST /v1/imports/${draft.import_id}/preview`, {});
  expect([refused.status, refused.body.code]).toEqual([409, 'import_not_mapped']);
  const empty = await preview(org, await mapped(org, { mail: 'email' }), 'allow');
  expect(empty).toMatchObject({ rows: 0, commit_token: null, expires_at: null });
  expect(empty.blocked).toMatch(/append_import_rows/);
});
