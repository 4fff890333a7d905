import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const sources = globSync('src/**/*.{ts,sql}', { cwd: root }).map(
  (file) => [file, readFileSync(join(root, file), 'utf8')] as const,
);

const among = (files: readonly (readonly [string, string])[], has: (source: string) => boolean): string[] =>
  files.filter(([, source]) => has(source)).map(([file]) => file);

const namesAdvisory = (source: string): boolean => /advisory/i.test(source);

const setsPlanner = (source: string): boolean =>
  /\b(enable_[a-z]+|max_parallel_[a-z_]+|plan_cache_mode|work_mem|random_page_cost|discard plans)\b|\bset (local )?jit\b|\bjit\s*=/i.test(
    source,
  );

/** A query that locks rows of `people`: in SQL between backticks, or as kysely writes it. */
function locksPeople(source: string): boolean {
  const strength = 'for (?:update|no key update|share|key share)';
  for (const [query] of source.matchAll(/`[^`]*`/g)) {
    const alias = /\b(?:from|join) "?people"?(?: as)? (\w)\b/i.exec(query)?.[1];
    const bare = new RegExp(`\\b(?:from|join) "?people"?[^()]*${strength}(?! of)`, 'i');
    if (bare.test(query) || (alias && new RegExp(`${strength} of ${alias}\\b`, 'i').test(query))) return true;
  }
  return /selectFrom\('people[^;]*\.for(?:Update|NoKeyUpdate|Share|KeyShare)\(/.test(source);
}

test('advisory locks are taken in src/database/locks.ts and nowhere else, but for the one of make_month', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(among(sources, namesAdvisory).toSorted()).toEqual([
    'src/database/locks.ts',
    'src/database/migrations/0002-months.sql',
    'src/database/schema.sql',
  ]);
  const [taken] = sources.filter(([file]) => file.endsWith('schema.sql'));
  expect(taken![1].match(/advisory\w*\(\d+\)/g)).toEqual(['advisory_xact_lock(7402116)']);
});

test('settings of the planner are made in src/database/planner.ts and nowhere else, but for those of one trigger', () => {
  expect(among(sources, setsPlanner).toSorted()).toEqual([
    'src/database/migrations/0012-ledger.sql',
    'src/database/migrations/0022-queue-by-keys.sql', // the same trigger, which schema.sql has once
    'src/database/planner.ts',
    'src/database/schema.sql',
  ]);
  const [taken] = sources.filter(([file]) => file.endsWith('schema.sql'));
  expect(taken![1].match(/enable_\w+/g)).toEqual(['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan']);
});

test('people are locked in src/database/hold-people.ts and nowhere else', () => {
  expect(among(sources, locksPeople)).toEqual(['src/database/hold-people.ts']);
});

test('the search finds each in every spelling, and leaves others alone', () => {
  expect(['select pg_advisory_xact_lock(1)', 'pg_try_ADVISORY_lock'].filter(namesAdvisory)).toHaveLength(2);
  expect(
    [
      'set local enable_seqscan = off',
      "set_config('enable_hashjoin', 'off', true)",
      'set jit = off',
      'discard plans',
    ].filter(setsPlanner),
  ).toHaveLength(4);
  const locking = [
    '`select id from people where id = $1 order by id for update`',
    '`select 1 from people for key share skip locked`',
    '`select r.id from people p join registrations r on true for key share of p for update of r`',
    "db.selectFrom('people').select('id').forUpdate()",
    "db.selectFrom('people as p').where('id', '=', id)\n.forKeyShare()",
  ];
  expect(locking.filter(locksPeople)).toEqual(locking);
  const others = [
    '`select id from people where id = $1`',
    '`select id from registrations for update`',
    '`select r.id from people p join registrations r on true for update of r`',
    "db.selectFrom('senders').forUpdate()",
    "db.selectFrom('people').select('id').execute();\ndb.selectFrom('senders').forUpdate()",
  ];
  expect(others.filter(locksPeople)).toEqual([]);
});
