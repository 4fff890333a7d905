import { beforeAll, expect, test } from 'vitest';
import { draftOf, withRows } from '../support/import.ts';
import { checksums } from '../support/furnish.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { settle } from './furnished-orgs.ts';

const world = useWorld();

interface Furnished {
  readonly org: TestOrg;
  readonly person: string;
  readonly import_id: string;
  readonly commit_token: string;
}

const mapping = { Email: 'email', Name: 'first_name' };
const rows = [{ Email: 'ada@example.com', Name: 'Ada' }];

/** The same person and the same rows in every organization: only the wall tells them apart. */
async function newFurnished(): Promise<Furnished> {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ada@example.com' });
  const import_id = await withRows(org, mapping, rows);
  const { body } = await org.tool('preview_import', { import_id });
  return { org, person, import_id, commit_token: body.commit_token };
}

let ours: Furnished;
let theirs: Furnished;
beforeAll(async () => {
  ours = await newFurnished();
  theirs = await newFurnished();
  await settle(world(), ours.org, theirs.org);
});

type Answer = { body: Record<string, unknown> };
const saying = ({ body }: Answer): unknown => ({ ...body, instance: '', request_id: '' });

const byId: [what: string, call: (org: TestOrg, id: string) => Promise<Answer>][] = [
  ['set_import_mapping', (org, import_id) => org.tool('set_import_mapping', { import_id, mapping })],
  [
    'set_import_mapping, discarding rows',
    (org, import_id) =>
      org.tool('set_import_mapping', {
        import_id,
        mapping: { Email: 'email', Name: 'skip' },
        discard_rows: true,
      }),
  ],
  ['append_import_rows', (org, import_id) => org.tool('append_import_rows', { import_id, rows })],
  ['preview_import', (org, import_id) => org.tool('preview_import', { import_id, merges: 'allow' })],
  ['get_import', (org, import_id) => org.tool('get_import', { import_id })],
  ['cancel_import', (org, import_id) => org.tool('cancel_import', { import_id })],
];

test.each(byId)('TEN-014 %s finds no import of another organization', async (_, call) => {
  const before = await checksums(world().admin);
  const answer = await call(ours.org, theirs.import_id);
  expect(answer.body).toMatchObject({ status: 404, code: 'not_found' });
  expect(saying(answer)).toEqual(saying(await call(ours.org, '018f0000-0000-7000-8000-000000000000')));
  // Not the id of the request: its digits may spell the name.
  expect(JSON.stringify(saying(answer))).not.toMatch(/ada|Email|spring/i);
  expect(await checksums(world().admin)).toEqual(before);
});

test('TEN-014 a commit_token of another organization is as little known as one that nobody made', async () => {
  const before = await checksums(world().admin);
  const commits: ((org: TestOrg, commit_token: string) => Promise<Answer>)[] = [
    (org, commit_token) => org.tool('commit_import', { commit_token }),
    (org, commit_token) => org.rest('POST /v1/imports/commit', { commit_token }),
  ];
  for (const commit of commits) {
    const answer = await commit(ours.org, theirs.commit_token);
    expect(answer.body).toMatchObject({ status: 404, code: 'not_found' });
    expect(saying(answer)).toEqual(saying(await commit(ours.org, 'a token that no preview gave')));
    const torn = `${theirs.commit_token.slice(0, -4)}AAAA`;
    expect(saying(answer)).toEqual(saying(await commit(theirs.org, torn)));
  }
  expect(await checksums(world().admin)).toEqual(before);
});

test('TEN-014 one id in two organizations names for each its own import', async () => {
  const { import_id } = ours;
  await world().admin.query(
    `insert into imports (org_id, id, name, file_name, source, status, columns, created_at)
     values ($1, $2, 'Second', 'second.csv', 'csv', 'draft', '["Phone"]', now())`,
    [theirs.org.id, import_id],
  );
  const read = async ({ org }: Furnished) => (await org.tool('get_import', { import_id })).body;
  expect(await read(theirs)).toMatchObject({ file_name: 'second.csv', columns: ['Phone'], total_rows: 0 });
  expect((await theirs.org.tool('cancel_import', { import_id })).isError).toBe(false);
  expect(await read(ours)).toMatchObject({ columns: ['Email', 'Name'], total_rows: 1 });
  expect((await theirs.org.tool('get_import', { import_id })).body).toMatchObject({ status: 404 });
});

test('TEN-017 list_data_imports answers what is the organization’s own', async () => {
  const second = await draftOf(theirs.org, ['Email']);
  for (const [mine, ids] of [
    [ours, [ours.import_id]],
    [theirs, [second.import_id, theirs.import_id]],
  ] as const) {
    for (const { body } of [
      await mine.org.tool('list_data_imports'),
      await mine.org.rest('GET /v1/imports'),
    ]) {
      expect(body.data_imports.map(({ id }: { id: string }) => id)).toEqual(ids);
    }
  }
});

test('TEN-019 rows are matched with people of the organization alone', async () => {
  await theirs.org.person({ email: 'joan@example.com', first_name: 'Joan' });
  const previewed = async (org: TestOrg) => {
    const import_id = await withRows(org, mapping, [{ Email: 'joan@example.com', Name: 'Joan' }]);
    return (await org.tool('preview_import', { import_id })).body;
  };
  expect(await previewed(ours.org)).toMatchObject({ people_to_create: 1, people_unchanged: 0 });
  expect(await previewed(theirs.org)).toMatchObject({ people_to_create: 0, people_unchanged: 1 });
});
