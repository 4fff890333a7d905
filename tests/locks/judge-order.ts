import { atAnyTime, lockOrder, ofPeople } from '../../src/database/lock-order.ts';
import type { Step } from './watch-order.ts';

/** What a foreign key holds lightly, so that it stays. Only its deletion waits for that, and it comes by this first. */
const referenced = new Set([
  'imports',
  'organizations',
  'platform_connections',
  'property_configs',
  'segments',
  'senders',
  'sending_domains',
  'webinars',
  'workflows',
]);

const levels = new Map(lockOrder.flatMap((names, level) => names.map((name) => [name, level] as const)));

/** What is wrong with the order in which a transaction took its locks, in words; and which locks nobody has placed. */
export function judgeOrder(steps: readonly Step[]): string[] {
  const wrong: string[] = [];
  let deepest = { level: -1, what: '', statement: '' };
  let lastPerson = '';
  for (const { statement, taken } of steps) {
    const passedOver = skipped(statement);
    let deepestHere = deepest;
    const people: string[] = [];
    for (const { what: table, id } of taken) {
      if (ofPeople.has(table) || atAnyTime.has(table) || table.startsWith('property_page')) continue;
      if (isReference(table, statement)) continue;
      const what = kindOf(table, statement);
      const level = levels.get(what);
      if (level === undefined) {
        wrong.push(`${what} has no place in the order: ${short(statement)}`);
        continue;
      }
      if (level < deepest.level && table !== passedOver)
        wrong.push(`${what} after ${deepest.what}: ${short(deepest.statement)} THEN ${short(statement)}`);
      if (what === 'people' && table !== passedOver) people.push(id);
      if (level > deepestHere.level) deepestHere = { level, what, statement };
    }
    const first = people.toSorted()[0];
    if (first !== undefined && first < lastPerson)
      wrong.push(`people out of the order of ids: ${short(statement)}`);
    lastPerson = [lastPerson, ...people].toSorted().at(-1)!;
    deepest = deepestHere;
  }
  return wrong;
}

const kindOf = (table: string, statement: string): string =>
  table === 'broadcasts' && /prepared_at is null\s+order by id for key share/.test(statement)
    ? 'broadcasts not yet prepared'
    : table;

const isReference = (table: string, statement: string): boolean =>
  referenced.has(table) &&
  !new RegExp(`(update|delete from) "?${table}\\b`).test(statement) &&
  !new RegExp(`from "?${table}\\b[^]*for (update|no key update|share)`).test(statement);

/** The table whose busy rows a statement passes over. */
function skipped(statement: string): string | undefined {
  const at = statement.search(/skip locked/i);
  return at < 0 ? undefined : [...statement.slice(0, at).matchAll(/from\s+"?(\w+)"?/gi)].at(-1)?.[1];
}

const short = (statement: string): string => statement.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
