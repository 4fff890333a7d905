import { expect } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { seed } from '../support/volume.ts';
import type { Condition, Population } from './facts.ts';
import type { Random } from './random.ts';

/** Who is in a segment, as one walk through the pages of a list told it, or one page of it. */
export interface Listing {
  readonly by: string;
  readonly from: number;
  readonly to: number;
  readonly members: readonly string[];
  /** What each page said. */
  readonly totals: readonly number[];
}

/** What the service said about one set of conditions. */
export interface Answer {
  readonly population: Population;
  readonly filters: readonly Condition[];
  /** Asked while every config was there. */
  readonly preview: {
    readonly count: number;
    readonly reachable: number;
    readonly samples: readonly string[];
  };
  /** Asked after the doomed ones were deleted. */
  readonly listings: readonly Listing[];
}

const atOnce = 8;

/** Saves every set as a segment, deletes the configs that are doomed, and asks who is in each. */
export async function askService(
  org: TestOrg,
  random: Random,
  population: Population,
  sets: readonly (readonly Condition[])[],
): Promise<Answer[]> {
  const saved = await inParallel(sets, async (filters) => {
    const made = await org.rest('POST /v1/segments', { name: 'A question', filters });
    if (made.status !== 201) throw refused(filters, made.body);
    const { status, body } = await org.rest('POST /v1/segments/preview', { filters });
    if (status !== 200) throw refused(filters, body);
    const preview = { count: body.count, reachable: body.reachable_by_email, samples: idsOf(body.samples) };
    return { id: made.body.segment.id as string, filters, preview };
  });
  await deleteDoomed(org, population);
  const tasks = saved.map((one, index) => ({
    ...one,
    isTenth: index % 10 === 0,
    limit: pageSize(random, one.preview.count),
    somewhere: { limit: random.int(1, 8), offset: random.int(0, random.pick([0, 5, one.preview.count])) },
  }));
  return inParallel(tasks, async ({ id, filters, preview, isTenth, limit, somewhere }) => {
    const overRest = membersOverRest(org, id);
    const listings = [await walk('list_segment_members over REST', limit, overRest)];
    if (limit % 3 === 0) listings.push(await readOne('a page of list_segment_members', somewhere, overRest));
    if (isTenth) {
      listings.push(
        await walk('list_segment_members as a tool', limit, async (page) => {
          const { isError, body } = await org.tool('list_segment_members', { segment_id: id, ...page });
          return { ok: !isError, body };
        }),
        await walk('list_people with segment_id', 200, async ({ limit: most, offset }) => {
          const answer = await org.rest(`GET /v1/people?segment_id=${id}&limit=${most}&offset=${offset}`);
          return { ok: answer.status === 200, body: answer.body };
        }),
      );
    }
    return { population, filters, preview, listings };
  });
}

async function deleteDoomed(org: TestOrg, { configs }: Population): Promise<void> {
  const doomed = configs.filter(({ role }) => role === 'doomed').map(({ key }) => key);
  const { body } = await org.rest('GET /v1/property-configs');
  for (const { id, key } of body.property_configs) {
    if (!doomed.includes(key)) continue;
    const { status } = await org.rest(`DELETE /v1/property-configs/${id}`);
    expect(status).toBe(200);
  }
}

/** So that a walk takes from one page to about four. */
const pageSize = (random: Random, members: number): number =>
  Math.min(200, random.int(Math.max(1, Math.ceil(members / 4)), Math.max(2, Math.ceil(members * 1.5))));

interface Page {
  readonly limit: number;
  readonly offset: number;
}
type ReadPage = (
  page: Page,
) => Promise<{ ok: boolean; body: { people: { id: string }[]; total: number } & Page }>;

const membersOverRest =
  (org: TestOrg, segment: string): ReadPage =>
  async ({ limit, offset }) => {
    const path = `/v1/segments/${segment}/members?limit=${limit}&offset=${offset}`;
    const { status, body } = await org.rest(`GET ${path}`);
    return { ok: status === 200, body };
  };

/** Every page until one is not full. */
async function walk(by: string, limit: number, read: ReadPage): Promise<Listing> {
  const pages: Listing[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = await readOne(by, { limit, offset }, read);
    pages.push(page);
    if (page.members.length === limit) continue;
    const members = pages.flatMap((one) => one.members);
    return { by, from: 0, to: Infinity, members, totals: pages.flatMap(({ totals }) => totals) };
  }
}

async function readOne(by: string, page: Page, read: ReadPage): Promise<Listing> {
  const { ok, body } = await read(page);
  if (!ok) throw refused(page, body);
  expect(body).toMatchObject(page);
  const { limit, offset } = page;
  return { by, from: offset, to: offset + limit, members: idsOf(body.people), totals: [body.total] };
}

const refused = (asked: unknown, body: unknown): Error =>
  new Error(`seed ${seed}: ${JSON.stringify(asked)} was answered ${JSON.stringify(body)}`);

const idsOf = (people: readonly { id: string }[]): string[] => people.map(({ id }) => id);

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()].toReversed();
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      results[next[0]] = await work(next[1]);
    }
  };
  const workers = Array.from({ length: atOnce }, worker);
  // The first failure ends the work, and nothing is left running behind it.
  await Promise.all(workers).catch(() => waiting.splice(0));
  await Promise.all(workers);
  return results;
}
