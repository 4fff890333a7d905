// Lists that come in at once, over the same people, while others identify, opt out and delete them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identifyMany } from '../../src/domain/people/identify/identify-many.ts';
import {
  takeFields,
  type PersonSent,
  type SentIdentifier,
} from '../../src/domain/people/identify/sent-person.ts';
import { inService } from '../support/in-service.ts';
import type { TestOrg } from '../support/test-org.ts';
import { UnionFind } from '../support/union-find.ts';
import { isLong, seed } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { differences, newProperty } from '../properties/page-mirror.ts';

const world = useWorld();
const [lists, callsAList, linesACall, people] = isLong ? [5, 6, 40, 150] : [4, 3, 30, 90];

const emailOf = (n: number) => `p${n}@example.com`;
const keyOf = ({ type, value }: SentIdentifier) => `${type} ${value}`;

/**
 * Two or three of one person's identifiers; now and then one is another's, which joins the two. Only ten neighbors join:
 * a group has fewer identifiers than one person may have.
 */
const line = (joins: boolean, property: string): fc.Arbitrary<PersonSent> =>
  fc
    .record({
      who: fc.nat({ max: people - 1 }),
      other: fc.option(fc.nat({ max: 9 }), { freq: 8 }),
      without: fc.nat({ max: 3 }),
      value: fc.string({ maxLength: 5, unit: 'grapheme-ascii' }),
      optsOut: fc.nat({ max: 9 }),
    })
    .map(({ who, other, without, value, optsOut }) => ({
      identifiers: [
        { type: 'org_assigned_user_id' as const, value: `user ${who}` },
        { type: 'email' as const, value: emailOf(joins && other !== null ? who - (who % 10) + other : who) },
        { type: 'phone' as const, value: `+1555010${1000 + who}` },
      ].filter((_, index) => index !== without),
      fields: takeFields({ first_name: `Name ${who}` }),
      values: { [property]: value },
      optsOut: optsOut === 0,
    }));

const newCalls = (joins: boolean, property: string): PersonSent[][] =>
  fc.sample(fc.array(line(joins, property), { minLength: linesACall, maxLength: linesACall, size: 'max' }), {
    numRuns: lists * callsAList,
    seed,
  });

/** Each list one call after another, all lists at once. */
const takeLists = (org: TestOrg, calls: readonly (readonly PersonSent[])[]): Promise<unknown>[] =>
  Array.from({ length: lists }, async (_, list) => {
    for (const call of calls.slice(list * callsAList, (list + 1) * callsAList)) {
      await inService(world(), org, (work) => identifyMany(work, call, () => true));
    }
  });

async function readOrg(org: TestOrg) {
  const { admin } = world();
  const rows = async <T extends object>(text: string) => (await admin.query<T>(text, [org.id])).rows;
  const identifiers = await rows<SentIdentifier & { person_id: string; out: boolean; primary: boolean }>(
    `select i.type, i.value, i.person_id, i.is_primary_for_type as primary, coalesce(o.email_opt_out, false) as out
     from identifiers i left join opt_outs o using (org_id, person_id) where i.org_id = $1`,
  );
  const untrue = await rows(
    `select p.id from people p cross join lateral (
       select max(value) filter (where type = 'email') as email, max(value) filter (where type = 'phone') as phone,
         max(value) filter (where type = 'org_assigned_user_id') as external_id
       from identifiers i where i.org_id = p.org_id and i.person_id = p.id and i.is_primary_for_type) i
     where p.org_id = $1
       and (p.primary_email, p.primary_phone, p.external_user_id) is distinct from (i.email, i.phone, i.external_id)`,
  );
  const [{ counted, there }] = (await rows<{ counted: number; there: number }>(
    `select (select sum(step)::int from people_counts where org_id = $1) as counted,
       (select count(*)::int from people where org_id = $1) as there`,
  )) as [{ counted: number; there: number }];
  return { identifiers, untrue, counted, there };
}

test('lists at once, beside single calls, leave each connected group as one person, and nobody opted in', async () => {
  const org = await world().newOrg();
  const property = await newProperty(org, 'noted', 'string');
  const calls = newCalls(true, property);
  const out: string[] = [];
  const singly = Array.from({ length: 4 }, async (_, n) => {
    for (let who = n; who < people; who += 8) {
      const person = await org.person({ email: emailOf(who), external_user_id: `user ${who}` });
      const { status } = await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
      // Somebody merged meanwhile is told to be; then nothing was opted out.
      expect(status).toBeOneOf([200, 404]);
      if (status === 200) out.push(emailOf(who));
    }
  });
  await Promise.all([...takeLists(org, calls), ...singly]);

  const groups = new UnionFind();
  for (const { identifiers } of calls.flat()) groups.join(identifiers.map(keyOf));
  for (let who = 0; who < people; who++) {
    if (who % 8 < 4) groups.join([`org_assigned_user_id user ${who}`, `email ${emailOf(who)}`]);
  }
  const { identifiers, untrue, counted, there } = await readOrg(org);
  const held = [...Map.groupBy(identifiers, ({ person_id }) => person_id).values()];
  const left = held.map((own) => own.map(keyOf).toSorted());
  expect(left.toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1))).toEqual(groups.groups());
  expect({ untrue, there, counted }).toEqual({ untrue: [], there: held.length, counted: held.length });
  const askedOut = calls.flat().flatMap(({ identifiers: [one], optsOut }) => (optsOut ? keyOf(one!) : []));
  const mustBeOut = new Set([...askedOut, ...out.map((email) => `email ${email}`)]);
  expect(out.length).toBeGreaterThan(10);
  expect(identifiers.filter((one) => mustBeOut.has(keyOf(one)) && !one.out)).toEqual([]);
  expect(await differences(world().admin)).toEqual([]);
}, 300_000);

test('whoever was opted out stays so while lists bring back people who are being deleted', async () => {
  const org = await world().newOrg();
  const property = await newProperty(org, 'noted', 'string');
  const ids: string[] = [];
  for (let who = 0; who < people; who += 3) {
    const person = await org.person({ email: emailOf(who), external_user_id: `user ${who}` });
    await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
    ids.push(person);
  }
  const calls = newCalls(false, property).map((call) => call.map((one) => ({ ...one, optsOut: false })));
  const statuses: number[] = [];
  const deleting = Array.from({ length: 3 }, async (_, n) => {
    for (const person of ids.filter((_id, index) => index % 3 === n)) {
      statuses.push((await org.rest(`DELETE /v1/people/${person}?drop_suppression=true`)).status);
    }
  });
  await Promise.all([...takeLists(org, calls), ...deleting]);

  expect(statuses).toEqual(ids.map(() => 200));
  const { identifiers, untrue, counted, there } = await readOrg(org);
  expect({ untrue, counted }).toEqual({ untrue: [], counted: there });
  const back = identifiers.filter(
    ({ type, value }) => type === 'email' && Number.parseInt(value.slice(1)) % 3 === 0,
  );
  expect(back.length).toBeGreaterThan(10);
  expect(back.filter(({ out }) => !out)).toEqual([]);
  expect(await differences(world().admin)).toEqual([]);
}, 300_000);
