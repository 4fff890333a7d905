import { expect, test } from 'vitest';
import { addProperty, append, map } from '../support/import.ts';
import { commit, preview } from '../support/import-preview.ts';
import { contentsOf } from '../support/org-contents.ts';
import { useWorld } from '../support/world.ts';
import { mapping, previewed, refusedIn, rows, type Change } from './previewed.ts';

const world = useWorld();
const other = { ...mapping, first: 'last_name' };

test.for<[string, Change]>([
  ['were appended', ({ org, id }) => append(org, id, [{ mail: 'more@example.com' }])],
  ['were appended and none fits', ({ org, id }) => append(org, id, [{ mail: 'not an email' }])],
  [
    'were discarded and sent again',
    async ({ org, id }) => {
      await map(org, id, other, { discard_rows: true });
      await map(org, id, mapping);
      await append(org, id, rows);
    },
  ],
])('IMP-067 a commit is refused, writing nothing, when rows %s', async ([, change]) => {
  expect(await refusedIn(world(), change)).toEqual(['/rows']);
});

test('IMP-068 a commit is refused, writing nothing, when the mapping changed', async () => {
  const drifted = await refusedIn(world(), async ({ org, id }) => {
    await map(org, id, other, { discard_rows: true });
    await append(org, id, rows);
  });
  expect(drifted).toEqual(['/mapping']);
});

test('IMP-068 a new mapping that let go of the rows is named with the rows', async () => {
  const { org, id, token } = await previewed(world());
  await map(org, id, other, { discard_rows: true });
  const before = await contentsOf(world().admin, org);
  const { status, body } = await commit(org, token);
  expect([status, body.code]).toEqual([409, 'import_changed']);
  expect(body.errors).toMatchObject([{ pointer: '/mapping' }, { pointer: '/rows' }]);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test.for<[string, Change, string[], RegExp]>([
  [
    'a mapped property is deleted',
    ({ org, tier }) => org.rest(`DELETE /v1/property-configs/${tier}`),
    ['/property_values', '/property_configs'],
    /No property config exists any more for: tier\. .*set_import_mapping/,
  ],
  [
    'a mapped property is deleted and made anew',
    async ({ org, tier }) => {
      await org.rest(`DELETE /v1/property-configs/${tier}`);
      await addProperty(org, 'tier');
    },
    ['/property_values', '/property_configs'],
    /No property config exists any more for: tier/,
  ],
  [
    'a property to be created is there already',
    ({ org }) => addProperty(org, 'size', 'number'),
    ['/property_configs'],
    /have a property config by now: size\. .*set_import_mapping/,
  ],
  [
    'there is no room for another property',
    async ({ org }) => {
      await world().admin.query(
        `insert into property_configs (org_id, id, key, name, type, created_at)
         select $1, gen_random_uuid(), 'filler_' || n, 'Filler', 'string', now() from generate_series(1, 298) n`,
        [org.id],
      );
    },
    ['/property_configs'],
    /300 property configs/,
  ],
])('a commit is refused when %s, and a preview says why', async ([, change, drifted, blocked]) => {
  const arranged = await previewed(world());
  const { org, id, token } = arranged;
  await change(arranged);
  const before = await contentsOf(world().admin, org);
  const { status, body } = await commit(org, token);
  expect([status, body.code]).toEqual([409, 'import_changed']);
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(drifted);
  expect(await contentsOf(world().admin, org)).toEqual(before);
  const again = await preview(org, id);
  expect(again).toMatchObject({ commit_token: null, expires_at: null });
  expect(again.blocked).toMatch(blocked);
});

test('IMP-036 a new property is created by the commit and not before', async () => {
  const { org, token } = await previewed(world());
  const keysOf = async () =>
    (await org.rest('GET /v1/property-configs')).body.property_configs.map(({ key }: { key: string }) => key);
  expect((await keysOf()).toSorted()).toEqual(['color', 'tier']);
  expect((await commit(org, token)).status).toBe(200);
  const { body } = await org.rest('GET /v1/property-configs');
  expect(body.property_configs).toContainEqual(
    expect.objectContaining({ key: 'size', name: 'Size', type: 'number' }),
  );
});

test('what the file does not mean may change: the token holds', async () => {
  const { org, ann, stranger, token } = await previewed(world());
  await org.person({ email: 'stranger@example.com', first_name: 'Renamed', phone: '+15550001234' });
  await org.person({ email: 'nobody-of-the-file@example.com' });
  await org.rest(`PATCH /v1/people/${stranger}/opt-outs`, { email_opt_out: true });
  await org.rest(`PUT /v1/people/${ann}/properties/color`, { value: 'red' });
  await addProperty(org, 'height', 'number');
  await world().admin.query(
    `update people set last_opened_at = now(), last_clicked_at = now() where org_id = $1`,
    [org.id],
  );
  expect((await commit(org, token)).status).toBe(200);
});
