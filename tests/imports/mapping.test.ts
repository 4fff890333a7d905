import { expect, test } from 'vitest';
import { FieldTarget } from '../../src/domain/imports/record/mapping.ts';
import { draftOf, map, mapped } from '../support/import.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const send = (org: TestOrg, import_id: string, mapping: unknown): Promise<RestAnswer> =>
  org.rest(`PUT /v1/imports/${import_id}/mapping`, { mapping });

const readMapping = async (import_id: string): Promise<unknown> => {
  const { rows } = await world().admin.query('select status, mapping, revision from imports where id = $1', [
    import_id,
  ]);
  return rows[0];
};

test('IMP-018 a mapping has an entry for every column and moves the draft on', async () => {
  const org = await world().newOrg();
  const { import_id } = await draftOf(org, ['Mail', 'Rest']);
  expect(await map(org, import_id, { Mail: 'email', Rest: 'skip' })).toEqual({
    import_id,
    status: 'mapped',
    sample_people: [],
  });
  const byTool = await org.tool('set_import_mapping', {
    import_id,
    mapping: { Mail: 'phone', Rest: 'skip' },
  });
  expect(byTool.body).toMatchObject({ import_id, status: 'mapped' });
  expect(await readMapping(import_id)).toMatchObject({
    mapping: { targets: { Mail: 'phone', Rest: 'skip' } },
  });
});

test('IMP-005 IMP-019 a mapping that leaves out a column is refused and the former one stays', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Mail: 'email', Phone: 'phone' });
  const before = await readMapping(import_id);
  const refused = await send(org, import_id, { Mail: 'external_user_id' });
  expect(asProblem(refused)).toEqual(problem(400, 'invalid_request', `/v1/imports/${import_id}/mapping`));
  expect(refused.body.errors).toMatchObject([{ pointer: '/mapping/Phone', code: 'missing_column' }]);
  expect(await readMapping(import_id)).toEqual(before);
});

test('IMP-005 a first mapping with an error leaves a draft without one', async () => {
  const org = await world().newOrg();
  const { import_id } = await draftOf(org, ['Mail']);
  expect((await send(org, import_id, { Mail: 'skip' })).status).toBe(400);
  expect(await readMapping(import_id)).toEqual({ status: 'draft', mapping: null, revision: '0' });
});

test('IMP-039 an unknown target is refused with those there are, wherever it stands', async () => {
  const org = await world().newOrg();
  const columns = ['who', 'word', 'number', 'nothing', 'list', 'other', 'two', 'constructor'];
  const { import_id } = await draftOf(org, columns);
  const refused = await send(org, import_id, {
    who: 'email',
    word: 'emial',
    number: 3,
    nothing: null,
    list: ['phone'],
    other: { field: 'phone' },
    two: { property: 'a', new_property: { key: 'a', name: 'A', type: 'string' } },
    constructor: 'toString',
  });
  expect(refused.status).toBe(400);
  const wrong = ['word', 'number', 'nothing', 'list', 'other', 'constructor'];
  expect(refused.body.errors).toEqual(
    expect.arrayContaining(
      wrong.map((column) => ({
        pointer: `/mapping/${column}`,
        code: 'unknown_target',
        detail: expect.stringContaining('property'),
        allowed: FieldTarget.options,
      })),
    ),
  );
  expect(refused.body.errors).toHaveLength(wrong.length + 1);
  expect(refused.body.errors).toContainEqual(
    expect.objectContaining({ pointer: '/mapping/two/property', code: 'unknown_field' }),
  );
});

test('IMP-018 a column the import does not have is refused, its name escaped in the pointer', async () => {
  const org = await world().newOrg();
  const { import_id } = await draftOf(org, ['Mail']);
  const refused = await send(org, import_id, { Mail: 'email', 'a/b~c': 'skip', mail: 'phone' });
  expect(refused.body.errors).toMatchObject([
    { pointer: '/mapping/a~1b~0c', code: 'unknown_column' },
    { pointer: '/mapping/mail', code: 'unknown_column' },
  ]);
});

test.each([['skip'], ['first_name'], ['alternate_email'], ['alternate_phone'], ['subscribed_to_emails']])(
  'IMP-040 a mapping of %s alone has no identifier column and is refused with those there are',
  async (target) => {
    const org = await world().newOrg();
    const { import_id } = await draftOf(org, ['it']);
    const refused = await send(org, import_id, { it: target });
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.body.errors).toEqual([
      {
        pointer: '/mapping',
        code: 'no_identifier',
        detail: expect.stringContaining('alternate_email and alternate_phone alone are not enough'),
        allowed: ['external_user_id', 'payment_customer_id', 'email', 'anonymous_id', 'phone'],
      },
    ]);
  },
);

test.each([['external_user_id'], ['payment_customer_id'], ['email'], ['anonymous_id'], ['phone']])(
  'IMP-040 a mapping of %s alone is enough',
  async (target) => {
    const org = await world().newOrg();
    expect(await mapped(org, { it: target })).toEqual(expect.any(String));
  },
);

test('IMP-005 IMP-043 all that is wrong is told at once; two columns on one target are, several skipped are not', async () => {
  const org = await world().newOrg();
  const columns = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { import_id } = await draftOf(org, columns);
  const refused = await send(org, import_id, {
    a: 'email',
    b: 'email',
    c: 'skip',
    d: 'skip',
    e: 'nonsense',
    z: 'skip',
  });
  const told = refused.body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]);
  expect(told.toSorted()).toEqual([
    ['/mapping/b', 'shared_target'],
    ['/mapping/e', 'unknown_target'],
    ['/mapping/f', 'missing_column'],
    ['/mapping/z', 'unknown_column'],
  ]);
  for (const { pointer } of refused.body.errors)
    expect(refused.body.detail).toContain(`${pointer.slice(1)}: `);
});
