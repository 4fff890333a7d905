import { expect, test } from 'vitest';
import { Random } from '../segments/random.ts';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';
import { isLong, seed } from '../support/volume.ts';
import { arrangeWorkflow, countOf, createWebinar } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const clients = 32;
/** Every client does so many calls, one after another. */
const callsOfEach = (full: number): number => (isLong ? full : Math.ceil(full / 3));
const random = new Random(seed);

interface Setting {
  readonly org: TestOrg;
  readonly webinars: readonly string[];
  /** How many runs a registration for each of the webinars begins. */
  readonly runsFor: ReadonlyMap<string, number>;
}

/** Four webinars; a workflow for any of them, one for the first, and one that listens for the event. */
async function arrange(): Promise<Setting> {
  const org = await world().newOrg();
  const webinars: string[] = [];
  for (let n = 0; n < 4; n++) webinars.push((await createWebinar(org)).id);
  await arrangeWorkflow(world(), org, { type: 'webinar_registration', webinar_id: null });
  await arrangeWorkflow(world(), org, { type: 'webinar_registration', webinar_id: webinars[0]! });
  await arrangeWorkflow(world(), org, { type: 'event', event_name: '$svc_webinar_registration' });
  return { org, webinars, runsFor: new Map(webinars.map((id, at) => [id, at === 0 ? 3 : 2])) };
}

interface Call {
  readonly webinar_id: string;
  readonly answer: RestAnswer;
}

/** Every client does so many calls, one after another, all clients at once. */
async function atOnce<T>(calls: number, call: (client: number, turn: number) => Promise<T>): Promise<T[]> {
  const made = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const answers: T[] = [];
      for (let turn = 0; turn < calls; turn++) answers.push(await call(client, turn));
      return answers;
    }),
  );
  return made.flat();
}

async function register(org: TestOrg, webinar_id: string, user: object): Promise<Call> {
  return { webinar_id, answer: await org.rest('POST /v1/webinars/register', { webinar_id, user }) };
}

const pick = <T>(from: readonly T[]): T => random.pick(from);
const chance = (): boolean => random.chance(0.5);

interface Row {
  readonly id: string;
  readonly webinar_id: string;
  readonly person_id: string;
  readonly events: number;
  readonly runs: number;
}

/** Every registration, with how many events tell of it and how many runs of its person it began or its event did. */
async function readRegistrations({ id }: TestOrg): Promise<Row[]> {
  const { rows } = await world().admin.query<Row>(
    `select r.id, r.webinar_id, r.person_id,
       (select count(*)::int from events e where e.org_id = r.org_id and e.person_id = r.person_id
         and e.name = '$svc_webinar_registration' and e.custom_properties ->> 'registration_id' = r.id::text) as events,
       (select count(*)::int from workflow_runs f left join events e on e.org_id = f.org_id and e.id = f.event_id
         where f.org_id = r.org_id and f.person_id = r.person_id
           and r.id = coalesce(f.registration_id, (e.custom_properties ->> 'registration_id')::uuid)) as runs
     from registrations r where r.org_id = $1`,
    [id],
  );
  return rows;
}

/** What holds whoever did what at the same time. */
async function judge({ org, runsFor }: Setting, calls: readonly Call[]): Promise<Row[]> {
  const refused = calls.filter(({ answer }) => answer.status !== 200).map(({ answer }) => answer.body);
  expect(refused).toEqual([]);
  const rows = await readRegistrations(org);
  for (const row of rows) {
    expect(row).toMatchObject({ events: 1, runs: runsFor.get(row.webinar_id) });
  }
  const pairs = rows.map((row) => `${row.webinar_id} ${row.person_id}`);
  expect(new Set(pairs).size).toBe(rows.length);
  // Of all who were told of a registration one was told that it is new.
  const news = calls.filter(({ answer }) => answer.body.already_registered === false);
  const made = news.map(({ answer }) => answer.body.registration_id);
  expect(new Set(made).size).toBe(made.length);
  for (const { answer } of calls) expect(made).toContain(answer.body.registration_id);
  const { rows: holders } = await world().admin.query(
    `select 1 from identifiers where org_id = $1 group by type, value having count(*) > 1`,
    [org.id],
  );
  expect(holders).toEqual([]);
  return rows;
}

test(
  'REG-005 32 clients register overlapping people for overlapping webinars: one registration, event and run of each kind a pair',
  { timeout: 300_000 },
  async () => {
    const setting = await arrange();
    const { org, webinars } = setting;
    const people = 12;
    const calls = await atOnce(callsOfEach(15), (client, turn) => {
      const nth = client * callsOfEach(15) + turn;
      const k = nth % people;
      return register(org, webinars[Math.floor(nth / people) % webinars.length]!, {
        email: `p${k}@example.com`,
        ...(chance() && { user_id: `customer-${k}` }),
        ...(chance() && { phone: `+1555000${k}` }),
        ...(chance() && { full_name: `Person Number${k}`, properties: { plan: pick(['free', 'pro']) } }),
      });
    });
    const rows = await judge(setting, calls);
    expect(rows).toHaveLength(people * webinars.length);
    expect(await countOf(world(), org, 'people')).toBe(people);
    for (const { webinar_id, answer } of calls) {
      const row = rows.find(({ id }) => id === answer.body.registration_id);
      expect(row).toMatchObject({ webinar_id, person_id: answer.body.org_user_id });
    }
    expect(await countOf(world(), org, 'property_configs')).toBe(1);
  },
);

test('REG-005 the same register call, 32 times at once, makes one registration', async () => {
  const setting = await arrange();
  const { org, webinars } = setting;
  const user = { email: 'ann@example.com', user_id: 'customer-1', properties: { plan: 'pro' } };
  const calls = await atOnce(1, () => register(org, webinars[0]!, user));
  expect(await judge(setting, calls)).toHaveLength(1);
  expect(calls.filter(({ answer }) => answer.body.already_registered === false)).toHaveLength(1);
});

test(
  'forms that send any of several identifiers of the same people never fail, nor merge anybody',
  { timeout: 300_000 },
  async () => {
    const setting = await arrange();
    const { org, webinars } = setting;
    const calls = await atOnce(callsOfEach(12), () => {
      const k = random.int(0, 5);
      const all = { user_id: `customer-${k}`, email: `p${k}@example.com`, phone: `+1555000${k}` };
      const some = Object.entries(all).filter(chance);
      return register(
        org,
        pick(webinars),
        Object.fromEntries(some.length === 0 ? Object.entries(all) : some),
      );
    });
    await judge(setting, calls);
    expect(await countOf(world(), org, 'merged_people')).toBe(0);
  },
);

test(
  'registering while the same people are deleted leaves whole registrations or none',
  { timeout: 300_000 },
  async () => {
    const setting = await arrange();
    const { org, webinars, runsFor } = setting;
    const known = new Map<number, string>();
    const statuses = await atOnce(callsOfEach(12), async (client, turn) => {
      const k = (client + turn) % 4;
      const there = known.get(k);
      if (client % 4 === 0 && there !== undefined) {
        const { status } = await org.rest(`DELETE /v1/people/${there}`);
        return status === 404 ? 200 : status; // somebody else was faster
      }
      const call = await register(org, pick(webinars), {
        email: `p${k}@example.com`,
        ...(chance() && { phone: `+1555000${k}`, first_name: pick(['Ann', 'Ben']) }),
      });
      if (call.answer.status === 200) known.set(k, call.answer.body.org_user_id);
      return call.answer.status;
    });
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const rows = await readRegistrations(org);
    for (const row of rows) expect(row).toMatchObject({ events: 1, runs: runsFor.get(row.webinar_id) });
    expect(await countOf(world(), org, 'people')).toBeLessThanOrEqual(4);
    expect(await countOf(world(), org, 'workflow_runs')).toBe(rows.reduce((sum, { runs }) => sum + runs, 0));
  },
);

test(
  'registering while identify merges the same people ends with one registration for each webinar, and its event',
  { timeout: 300_000 },
  async () => {
    const { org, webinars } = await arrange();
    const people = 6;
    const emailOf = (k: number) => `p${k}@example.com`;
    const phoneOf = (k: number) => `+1555000${k}`;
    const statuses = await atOnce(callsOfEach(10), async (client, turn) => {
      const k = (client + turn) % people;
      if (client % 4 === 0) {
        const merged = await org.rest('POST /v1/people/identify', { email: emailOf(k), phone: phoneOf(k) });
        return merged.status;
      }
      const user = client % 2 === 0 ? { email: emailOf(k) } : { phone: phoneOf(k), first_name: 'Ann' };
      return (await register(org, pick(webinars), user)).answer.status;
    });
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    for (let k = 0; k < people; k++) await org.person({ email: emailOf(k), phone: phoneOf(k) });
    expect(await countOf(world(), org, 'people')).toBe(people);
    const rows = await readRegistrations(org);
    expect(rows.length).toBeLessThanOrEqual(people * webinars.length);
    for (const row of rows) expect(row).toMatchObject({ events: 1 });
  },
);

test('none of it made the database break up a circle of waiting', async () => {
  // A connection hands in what it counted a second after it was last at work.
  await new Promise((resolve) => void setTimeout(resolve, 1_500));
  const { rows } = await world().admin.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
});
