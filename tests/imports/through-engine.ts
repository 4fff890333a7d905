import { expect } from 'vitest';
import { withRows, type SentMapping } from '../support/import.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Cells = Readonly<Record<string, unknown>>;

export const readImport = async (org: TestOrg, id: string, query = ''): Promise<Json> => {
  const { status, body } = await org.rest(`GET /v1/imports/${id}${query}`);
  if (status !== 200) throw new Error(`get_import answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

/** Previews an import and commits it. Answers its id; the engine goes on from here. */
export async function commit(org: TestOrg, id: string, merges = 'block'): Promise<string> {
  const preview = await org.rest(`POST /v1/imports/${id}/preview`, { merges });
  expect(preview).toMatchObject({ status: 200, body: { blocked: null, commit_token: expect.any(String) } });
  const { commit_token } = preview.body;
  const committed = await org.rest('POST /v1/imports/commit', { commit_token });
  expect(committed).toMatchObject({ status: 200, body: { import_id: id, status: 'committing' } });
  return id;
}

/** The import once it is at its end. */
export async function ended(org: TestOrg, id: string, timeout = 60_000): Promise<Json> {
  await expect
    .poll(async () => (await readImport(org, id)).status, { timeout, interval: 50 })
    .not.toBe('committing');
  return readImport(org, id);
}

/** The whole way of a list over the faces and through the engine. */
export async function importList(
  org: TestOrg,
  mapping: SentMapping,
  rows: readonly Cells[],
  merges?: string,
): Promise<Json> {
  return ended(org, await commit(org, await withRows(org, mapping, rows), merges));
}

/** Whoever holds an identifier, as the faces show them; nobody, when nobody does. */
export async function holderOf({ admin }: World, org: TestOrg, value: string): Promise<Json> {
  const { rows } = await admin.query<{ person_id: string }>(
    'select distinct person_id from identifiers where org_id = $1 and value = $2',
    [org.id, value],
  );
  if (rows.length === 0) return undefined;
  expect(rows).toHaveLength(1);
  const path = `GET /v1/people/${rows[0]!.person_id}`;
  const [person, listed, optOuts] = await Promise.all([
    org.rest(path),
    org.rest(`${path}/identifiers`),
    org.rest(`${path}/opt-outs`),
  ]);
  const { id, first_name, last_name, primary_email, primary_phone, external_user_id, ...rest } =
    person.body.person;
  return {
    id,
    first_name,
    last_name,
    primary_email,
    primary_phone,
    external_user_id,
    properties: Object.fromEntries(
      Object.entries<Json>(rest.custom_properties).map(([key, { value: has }]) => [key, has]),
    ),
    identifiers: listed.body.identifiers
      .map(({ identifier_type: type, identifier_value: has, is_primary_for_type }: Json) =>
        is_primary_for_type === true ? `${type} ${has}, primary` : `${type} ${has}`,
      )
      .toSorted(),
    ...optOuts.body.opt_outs,
  };
}

/** Several of them, one question after another. */
export async function holdersOf(world: World, org: TestOrg, values: readonly string[]): Promise<Json[]> {
  const holders = [];
  for (const value of values) holders.push(await holderOf(world, org, value));
  return holders;
}
