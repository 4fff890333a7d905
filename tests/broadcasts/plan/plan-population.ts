import { newWebinar, register } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import type { World } from '../../support/world.ts';
import { Random } from '../../segments/random.ts';
import { newConfig } from './plan-support.ts';

const blank = ['', '  ', '\t', '\u00a0', '\u200b', '\u2003 \ufeff', '\u00ad'];
const names = ['Ada', 'Ada', 'eve', "O'Neil", 'A & B', '<b>', ' padded ', ...blank, null];
const tiers = ['gold', 'gold', 'free', 'a "plan"', 'x'.repeat(600), ...blank, null];
/** What is read of a text as a date, on the calendar of UTC; no entry: it is none. */
export const dates: Readonly<Record<string, string>> = {
  '2026-05-01': '2026-05-01',
  ' 2026-05-01 ': '2026-05-01',
  '2028-02-29': '2028-02-29',
  '2000-02-29': '2000-02-29',
  '2026-05-01 10:00': '2026-05-01',
  '2026-05-01T10:00:00Z': '2026-05-01',
  '2026-05-01t23:30:00.5z': '2026-05-01',
  '2026-05-01T23:30:00-02': '2026-05-02',
  '2026-05-01T01:30:00,123456789+0530': '2026-04-30',
};
const notDates =
  `soon|01.05.2026|20260501|2026-5-1|2026-02-29|1900-02-29|2026-02-30|2026-04-31|2026-13-01|2026-00-01
2026-05-00|0000-01-01|2026-05-01T|2026-05-01T25:00|2026-05-01T10:60|2026-05-01T10:00:60|2026-05-01T10:00:00+24:00
2026-05-01T10:00:00+02:60|2026-05-01Z|2026-05-01 and then|12026-05-01`.split(/[|\n]/);
const links = ['https://example.com/own?a=1&b=2', '', '  ', null, null];
const reasons = ['bounced', 'complained', 'blacklisted'];

/** Another phone each time: most can be texted, some are no number that a text could go to. */
const phoneOf = (random: Random, n: number): string =>
  random.weighted(
    [6, () => `+1555${String(1_000_000 + n)}`],
    [2, () => `+49 (151) 2${String(1_000 + n)}-77.8`],
    [1, () => `0151 ${n}`],
    [1, () => `+0555${n}000`],
    [1, () => `+1-${n}`],
    [1, () => `+1555${String(n).padStart(13, '0')}`],
    [1, () => `+1555123${n}x`],
  );

/** Makes one person as callers do, with addresses of every standing. */
async function makePerson(org: TestOrg, random: Random, n: number): Promise<string> {
  const email = random.chance(0.75) ? { email: `p${n}@example.com` } : {};
  const phone = random.chance(0.6) ? { phone: phoneOf(random, n) } : {};
  const person = await org.person({ external_user_id: `ext-${n}`, ...email, ...phone });
  const path = `/v1/people/${person}/identifiers`;
  const changed: unknown[] = [];
  const { identifiers } = (await org.rest(`GET ${path}`)).body;
  for (const { id, identifier_type } of identifiers) {
    if (identifier_type === 'org_assigned_user_id' || random.chance(0.75)) continue;
    const flag = random.pick(['is_contact_method', 'is_contact_method', 'is_primary_for_type']);
    changed.push((await org.rest(`PATCH ${path}/${id}`, { [flag]: false })).status);
  }
  if (random.chance(0.3)) {
    const other = { identifier_type: 'email', identifier_value: `other${n}@example.com` };
    const flags = { is_contact_method: random.chance(0.5), is_primary_for_type: random.chance(0.3) };
    changed.push((await org.rest(`POST ${path}`, { ...other, ...flags })).status);
  }
  if (random.chance(0.35)) {
    const optOuts = { email_opt_out: random.chance(0.5), sms_opt_out: random.chance(0.5) };
    changed.push((await org.rest(`PATCH /v1/people/${person}/opt-outs`, optOuts)).status);
  }
  if (changed.some((status) => status !== 200)) throw new Error(`population: ${changed.join(' ')}`);
  return person;
}

/** What no caller can say of a person. */
async function addFacts(
  { admin }: World,
  org: TestOrg,
  random: Random,
  person: string,
  n: number,
): Promise<void> {
  for (const address of [`p${n}@example.com`, `other${n}@example.com`]) {
    if (random.chance(0.75)) continue;
    await admin.query(
      `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, now())`,
      [org.id, person, address, random.pick(reasons)],
    );
  }
  await admin.query(
    'update people set first_name = $3, last_name = $4, mrr = $5, next_payment_date = $6 where org_id = $1 and id = $2',
    [
      org.id,
      person,
      random.pick(names),
      random.pick(names),
      random.pick([0, 0, 100, 5_050, 12_345]),
      random.pick([null, null, '2026-06-30T12:00:00Z']),
    ],
  );
}

const keys = { tier: 'string', seats: 'number', vip: 'boolean', renews: 'string' } as const;

async function setValues(
  { admin }: World,
  org: TestOrg,
  random: Random,
  people: readonly string[],
): Promise<void> {
  const configs = new Map<string, string>();
  for (const [key, type] of Object.entries(keys)) {
    // Enough of them between, so that the last text stands on another page than the first.
    if (key === 'renews') for (let n = 0; n < 8; n++) await newConfig(org, `beside_${n}`);
    configs.set(key, await newConfig(org, key, type));
  }
  const valueOf: Record<keyof typeof keys, () => readonly [string | null, number | null, boolean | null]> = {
    tier: () => [random.pick(tiers), null, null],
    seats: () => [null, random.pick([0, 1, 5, 12.5, -3, null]), null],
    vip: () => [null, null, random.pick([true, false, null])],
    renews: () => [random.pick([...Object.keys(dates), ...notDates, ...blank, null]), null, null],
  };
  for (const person of people) {
    for (const key of Object.keys(keys) as (keyof typeof keys)[]) {
      if (random.chance(0.2)) continue;
      await admin.query(
        `insert into property_values (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by,
           created_at) values ($1, $2, $3, $4, $5, $6, gen_random_uuid(), now())`,
        [org.id, person, configs.get(key), ...valueOf[key]()],
      );
    }
  }
}

/** Fills an organization with people of every standing, and two webinars that many of them registered for. */
export async function populate(
  world: World,
  org: TestOrg,
  random: Random,
  size: number,
): Promise<{ id: string; join_url: string | null }[]> {
  const people: string[] = [];
  for (let n = 0; n < size; n += 10) {
    // Each with chances of its own: ten at once must not mix theirs.
    const made = Array.from({ length: 10 }, (_, at) => ({
      n: n + at,
      chances: new Random(random.int(0, 2 ** 31)),
    }));
    const ids = await Promise.all(made.map(({ n: nth, chances }) => makePerson(org, chances, nth)));
    for (const [at, id] of ids.entries()) await addFacts(world, org, random, id, n + at);
    people.push(...ids);
  }
  await setValues(world, org, random, people);
  const webinars = [];
  for (const join_url of [null, 'https://example.com/all']) {
    const id = await newWebinar(world, org, { join_url });
    for (const person of people.filter(() => random.chance(0.6))) {
      const registration = { attended: random.chance(0.4), join_url: random.pick(links) };
      await register(world, org, id, person, registration);
    }
    webinars.push({ id, join_url });
  }
  return webinars;
}
