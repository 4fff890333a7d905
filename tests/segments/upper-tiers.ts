import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';
import type { Random } from './random.ts';

/** A segment of whoever has a tier of 10 or more, in an organization of its own. */
export interface UpperTiers {
  readonly org: TestOrg;
  readonly id: string;
}

export const filters = [{ custom_property_key: 'tier', op: 'gte', value: 10 }];

export async function newUpperTiers(world: World): Promise<UpperTiers> {
  const org = await world.newOrg();
  await org.rest('POST /v1/property-configs', { key: 'tier', name: 'Tier', type: 'number' });
  const { body } = await org.rest('POST /v1/segments', { name: 'Upper tiers', filters });
  return { org, id: body.segment.id };
}

/** People made from a moment on, a few of them at the same; the newest first. Tier 0 is none. */
export async function addPeople(
  world: World,
  { org }: UpperTiers,
  random: Random,
  { howMany, from, tier }: { howMany: number; from: string; tier: () => number },
): Promise<string[]> {
  const rows = Array.from({ length: howMany }, () => ({
    id: random.uuid(),
    at: new Date(Date.parse(from) + random.int(0, 100) * 60_000),
    tier: tier(),
  }));
  await world.admin.query(
    `insert into people (org_id, id, created_at, updated_at)
     select $1, id, at, at from json_to_recordset($2) as r(id uuid, at timestamptz)`,
    [org.id, JSON.stringify(rows)],
  );
  await world.admin.query(
    `insert into property_values (org_id, person_id, config_id, number_value, changed_by, created_at)
     select $1, r.id, c.id, r.tier, gen_random_uuid(), now()
     from json_to_recordset($2) as r(id uuid, tier float8)
       join property_configs c on c.org_id = $1 and c.key = 'tier'
     where r.tier > 0`,
    [org.id, JSON.stringify(rows)],
  );
  return rows
    .toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

type Ask = (
  limit: number,
  offset: number,
) => Promise<{ readonly people: readonly { readonly id: string }[]; readonly total: number }>;

/** Every way to ask who is in it. */
export const waysToAsk = ({ org, id }: UpperTiers): Ask[] => [
  async (limit, offset) =>
    (await org.rest(`GET /v1/segments/${id}/members?limit=${limit}&offset=${offset}`)).body,
  async (limit, offset) => (await org.tool('list_segment_members', { segment_id: id, limit, offset })).body,
  async (limit, offset) =>
    (await org.rest(`GET /v1/people?segment_id=${id}&limit=${limit}&offset=${offset}`)).body,
];

/** Somebody else may have been quicker to delete whom a change is about. */
export async function change(
  { org }: UpperTiers,
  route: string,
  body?: unknown,
): Promise<{ person_id?: string }> {
  const answer = await org.rest(route, body);
  if (answer.status !== 200 && answer.status !== 404) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export const setTier = (tiers: UpperTiers, person: string, value: number | null) =>
  change(tiers, `PUT /v1/people/${person}/properties/tier`, { value });

/**
 * Reads four at once while all writers write without a pause, until that is enough: how many writes go to a read depends
 * on the disk.
 */
export async function readWhile(
  writers: readonly (() => Promise<unknown>)[],
  read: () => Promise<void>,
  isEnough: (done: { readonly reads: number; readonly writes: number }) => boolean,
): Promise<void> {
  const done = { reads: 0, writes: 0 };
  let failed = false;
  const write = async (writer: () => Promise<unknown>): Promise<void> => {
    for (; !failed && !isEnough(done); done.writes++) await writer();
  };
  const reader = async (): Promise<void> => {
    for (; !failed && !isEnough(done); done.reads++) await read();
  };
  const all = [...writers.map(write), ...Array.from({ length: 4 }, reader)];
  // The first failure ends it, and nothing is left running behind it.
  await Promise.all(all).catch(() => (failed = true));
  await Promise.all(all);
}
