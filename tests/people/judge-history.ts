import type pg from 'pg';
import { UnionFind } from '../support/union-find.ts';
import { keysOf, optedOutBy, type History } from './identify-history.ts';
import type { Answers } from './run-history.ts';

/** What a history left in its organization. */
export interface Remains {
  people: { id: string; email: string | null; phone: string | null; external_id: string | null }[];
  identifiers: { person_id: string; type: string; value: string; is_primary: boolean }[];
  optOuts: { person_id: string; email: boolean; sms: boolean }[];
  redirects: { id: string; survivor_id: string }[];
  counted: number;
  propertyChanges: number;
  /** Rows anywhere that refer to a person who is not there. */
  dangling: string[];
}

/** Reads many organizations at once. */
export async function readRemains(admin: pg.Client, orgs: readonly string[]): Promise<Remains[]> {
  const { rows: columns } = await admin.query<{ place: string; name: string }>(`
    select c.table_name as place, c.column_name as name from information_schema.columns c
    where c.table_schema = 'public' and c.column_name in ('person_id', 'survivor_id')`);
  const dangling = columns.map(
    ({
      place,
      name,
    }) => `select '${place}.${name}' from ${place} r where r.org_id = o.id and r.${name} is not null
      and not exists (select 1 from people p where p.org_id = o.id and p.id = r.${name})`,
  );
  const listOf = (select: string) => `coalesce((select json_agg(x) from (${select}) x), '[]')`;
  const { rows } = await admin.query<Remains>(
    `select
      ${listOf('select id, primary_email as email, primary_phone as phone, external_user_id as external_id from people where org_id = o.id')} as people,
      ${listOf('select person_id, type, value, is_primary_for_type as is_primary from identifiers where org_id = o.id')} as identifiers,
      ${listOf('select person_id, email_opt_out as email, sms_opt_out as sms from opt_outs where org_id = o.id')} as "optOuts",
      ${listOf('select id, survivor_id from merged_people where org_id = o.id')} as redirects,
      (select coalesce(sum(step), 0)::int from people_counts where org_id = o.id) as counted,
      (select count(*)::int from property_changes where org_id = o.id) as "propertyChanges",
      array(${dangling.join(' union all ')}) as dangling
    from unnest($1::uuid[]) with ordinality as o(id, place) order by o.place`,
    [orgs],
  );
  return rows;
}

/** Every way in which what is there differs from what the calls, in whatever order, must have led to. */
export function judge(history: History, answers: Answers, remains: Remains): string[] {
  const wrong = remains.dangling.map((place) => `${place} refers to a dead person`);
  const groups = new UnionFind();
  for (const call of history) groups.join(keysOf(call));
  const holders = Map.groupBy(remains.identifiers, ({ type, value }) => `${type} ${value}`);
  const holderOf = (call: number) => holders.get(keysOf(history[call]!)[0]!)?.[0]?.person_id;
  const held = Map.groupBy(remains.identifiers, ({ person_id }) => person_id);
  const must = (what: string, is: unknown, wanted: unknown): void => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) {
      wrong.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`);
    }
  };

  const people = [...held.values()].map((own) => own.map(({ type, value }) => `${type} ${value}`).toSorted());
  must(
    'the groups',
    people.toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1)),
    groups.groups(),
  );
  must('the people', remains.people.map(({ id }) => id).toSorted(), [...held.keys()].toSorted());
  must('the count of people', remains.counted, remains.people.length);
  const changes = history.filter(({ withProperty }) => withProperty === true).length;
  must('the property changes kept', remains.propertyChanges, changes);
  for (const [key, all] of holders) must(`the holders of ${key}`, all.length, 1);

  for (const person of remains.people) {
    const own = held.get(person.id) ?? [];
    const primaries = own.filter(({ is_primary }) => is_primary);
    const primary = (type: string) => primaries.find((one) => one.type === type)?.value ?? null;
    // Nothing here takes a primary away, so every type held has exactly one.
    const typesHeld = [...new Set(own.map(({ type }) => type))].toSorted();
    must(`the primaries of ${person.id}`, primaries.map(({ type }) => type).toSorted(), typesHeld);
    const { id: _, ...row } = person;
    const told = {
      email: primary('email'),
      phone: primary('phone'),
      external_id: primary('org_assigned_user_id'),
    };
    must(`the row of ${person.id}`, row, told);
    const outs = history.flatMap(({ optOut }, index) =>
      optOut !== null && holderOf(optedOutBy(optOut, index)) === person.id ? [optOut.flags] : [],
    );
    const stored = remains.optOuts.find(({ person_id }) => person_id === person.id);
    must(
      `the opt-outs of ${person.id}`,
      [stored?.email ?? false, stored?.sms ?? false],
      [outs.some((out) => out.email_opt_out === true), outs.some((out) => out.sms_opt_out === true)],
    );
  }

  const living = new Set(remains.people.map(({ id }) => id));
  const redirects = new Map(remains.redirects.map(({ id, survivor_id }) => [id, survivor_id]));
  for (const [id, survivor] of redirects) {
    must(`the redirect of ${id}`, [living.has(id), living.has(survivor)], [false, true]);
  }
  for (const [index, { person_id }] of answers.entries()) {
    const now = living.has(person_id) ? person_id : redirects.get(person_id);
    must(`who call ${index} identified`, now, holderOf(index));
  }
  return wrong;
}

/** Beyond that, calls one after another say exactly who is created and who survives: the first found in lookup order. */
export function judgeOrder(history: History, answers: Answers): string[] {
  const wrong: string[] = [];
  const groups = new UnionFind();
  const survivors = new Map<string, string>();
  for (const [index, call] of history.entries()) {
    const keys = keysOf(call);
    const found = keys.find((key) => groups.has(key));
    const expected = found === undefined ? undefined : survivors.get(groups.find(found));
    const { person_id, created } = answers[index]!;
    if (created !== (expected === undefined)) wrong.push(`call ${index}: created is ${created}`);
    if (expected !== undefined && person_id !== expected)
      wrong.push(`call ${index}: ${person_id}, not ${expected}`);
    groups.join(keys);
    survivors.set(groups.find(keys[0]!), person_id);
  }
  return wrong;
}
