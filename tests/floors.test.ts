import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface Report {
  modules: { source: string }[];
  summary: { violations: { from: string; to: string; rule: { name: string } }[] };
}

function depcruise(directory: string, outputType: 'err' | 'json') {
  return spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/.bin/depcruise'),
      '--config',
      join(root, '.dependency-cruiser.cjs'),
      '--output-type',
      outputType,
      ...['src', 'web/src'].filter((folder) => existsSync(join(directory, folder))),
    ],
    { cwd: directory, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
}

/** Argument-less `new Date()`, for which oxlint has no rule. `Date.now()` is forbidden in .oxlintrc.json. */
const readsTheClock = (source: string) => /\bnew\s+Date\s*(\(\s*\)|(?=\s*[;,)\]}.]))/.test(source);

describe('the floors of src', () => {
  test('the checker reads every module of src and of the dashboard, and finds nothing to report', () => {
    const report = JSON.parse(depcruise(root, 'json').stdout) as Report;
    const read = report.modules.map((module) => module.source);
    const written = globSync(['src/**/*.ts', 'web/src/**/*.tsx'], { cwd: root });
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((file) => !read.includes(file))).toEqual([]);
    expect(report.summary.violations).toEqual([]);
  });

  test('a file that defines an operation is named like it and defines no other', () => {
    const misnamed = globSync('src/domain/**/*.ts', { cwd: root }).filter((file) => {
      const names = readFileSync(join(root, file), 'utf8').matchAll(/defineOperation\(\{\s*name: '(\w+)'/g);
      const files = [...names].map(([, name]) => `${name!.replaceAll('_', '-')}.ts`);
      return files.length > 0 && files.join() !== basename(file);
    });
    expect(misnamed).toEqual([]);
  });

  test('neither the kernel nor the domain asks the machine what time it is, but for the clock itself', () => {
    const guilty = globSync('src/{kernel,domain}/**/*.ts', { cwd: root })
      .filter((file) => file !== 'src/kernel/clock.ts')
      .filter((file) => readsTheClock(readFileSync(join(root, file), 'utf8')));
    expect(guilty).toEqual([]);
  });

  test('the search for the machine clock finds it in every spelling and leaves parsed dates alone', () => {
    expect(['new Date()', 'new  Date ( )', 'const t = new Date;'].filter(readsTheClock)).toHaveLength(3);
    expect(['new Date(at)', 'clock.now()', 'new DateRange()'].filter(readsTheClock)).toEqual([]);
  });
});

describe('a planted violation', () => {
  const plants = [
    {
      sentence: 'the kernel may not import the domain',
      rule: 'floor-kernel',
      files: {
        'src/kernel/ids-1.ts': `export { person } from '../domain/people/record/person-1.ts';`,
        'src/domain/people/record/person-1.ts': 'export const person = 1;',
      },
    },
    {
      sentence: 'the kernel may not import even a type of the domain',
      rule: 'floor-kernel',
      files: {
        'src/kernel/ids-2.ts': `import type { Person } from '../domain/people/record/person-2.ts';\nexport type P = Person;`,
        'src/domain/people/record/person-2.ts': 'export type Person = 1;',
      },
    },
    {
      sentence: 'the dashboard may not import code of the service',
      rule: 'web-types-only',
      files: {
        'web/src/call-3.ts': `export { operations } from '../../src/catalogue/operations-3.ts';`,
        'src/catalogue/operations-3.ts': 'export const operations = [];',
      },
    },
    {
      sentence: 'the service may not import its dashboard',
      rule: 'src-without-web',
      files: {
        'src/faces/dashboard/serve-4.ts': `export { page } from '../../../web/src/page-4.ts';`,
        'web/src/page-4.ts': 'export const page = 1;',
      },
    },
    {
      sentence: 'durable work may not import the catalogue',
      rule: 'floor-durable',
      files: {
        'src/durable/broadcast-run-5.ts': `export { operations } from '../catalogue/operations-5.ts';`,
        'src/catalogue/operations-5.ts': 'export const operations = [];',
      },
    },
    {
      sentence: 'a folder of src that is no floor may not import anything',
      rule: 'floor-unknown',
      files: {
        'src/utils/helpers-6.ts': `export { clock } from '../kernel/clock-6.ts';`,
        'src/kernel/clock-6.ts': 'export const clock = 1;',
      },
    },
    {
      sentence: 'a face may not import another face',
      rule: 'faces-apart',
      files: {
        'src/faces/rest/mount-operations-7.ts': `export { serve } from '../mcp/serve-tools-7.ts';`,
        'src/faces/mcp/serve-tools-7.ts': 'export const serve = 1;',
      },
    },
    {
      sentence: 'orgs may not import people, who come later in the domain',
      rule: 'domain-orgs',
      files: {
        'src/domain/orgs/audit-8.ts': `export { person } from '../people/record/person-8.ts';`,
        'src/domain/people/record/person-8.ts': 'export const person = 1;',
      },
    },
    {
      sentence: 'filters may not import people, who are filtered by them',
      rule: 'domain-filters',
      files: {
        'src/domain/filters/read-filters-9.ts': `export { person } from '../people/record/person-9.ts';`,
        'src/domain/people/record/person-9.ts': 'export const person = 1;',
      },
    },
    {
      sentence: 'a room may not import a later room of its own folder',
      rule: 'domain-broadcasts-draft',
      files: {
        'src/domain/broadcasts/draft/broadcast-10.ts': `export { plan } from '../plan/plan-broadcast-10.ts';`,
        'src/domain/broadcasts/plan/plan-broadcast-10.ts': 'export const plan = 1;',
      },
    },
    {
      sentence: 'no file stands in a folder that has rooms',
      rule: 'domain-unknown',
      files: {
        'src/domain/broadcasts/broadcast-11.ts': `export { clock } from '../../kernel/clock-11.ts';`,
        'src/kernel/clock-11.ts': 'export const clock = 1;',
      },
    },
    {
      sentence: 'the domain may not import the HTTP framework',
      rule: 'no-frameworks-below',
      files: { 'src/domain/orgs/audit-12.ts': `export { fastify } from 'fastify';` },
    },
    {
      sentence: 'two files may not import each other',
      rule: 'no-circular',
      files: {
        'src/kernel/ids-13.ts': `export { page } from './page-13.ts';\nexport const id = 1;`,
        'src/kernel/page-13.ts': `export { id } from './ids-13.ts';\nexport const page = 1;`,
      },
    },
  ];

  const allowed = {
    'src/domain/people/record/person.ts': `export { audit } from '../../orgs/audit.ts';`,
    'src/domain/orgs/audit.ts': 'export const audit = 1;',
    'src/domain/people/record/list-people.ts': `export { filters } from '../../filters/read-filters.ts';`,
    'src/domain/filters/read-filters.ts': 'export const filters = 1;',
  };

  // All of them in one house, each in files of its own: the checker takes a second to start.
  let house: string;
  let report: Report;

  beforeAll(() => {
    house = mkdtempSync(join(tmpdir(), 'rostrum-floors-'));
    symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'));
    for (const files of [...plants.map((plant) => plant.files), allowed])
      for (const [path, source] of Object.entries(files)) write(path, source);
    report = JSON.parse(depcruise(house, 'json').stdout) as Report;
  });
  afterAll(() => rmSync(house, { recursive: true, force: true }));

  function write(path: string, source: string) {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), source);
  }

  const rulesBrokenIn = (files: object): string[] =>
    report.summary.violations.filter(({ from }) => from in files).map(({ rule }) => rule.name);

  test.each(plants)('$sentence', ({ rule, files }) => {
    expect(rulesBrokenIn(files)).toContain(rule);
  });

  test('people may import orgs and filters, which come earlier in the domain', () => {
    expect(report.modules.map(({ source }) => source)).toEqual(expect.arrayContaining(Object.keys(allowed)));
    expect(rulesBrokenIn(allowed)).toEqual([]);
  });

  test('what is planted ends the checker with an error that names the rule', () => {
    const { status, stdout } = depcruise(house, 'err');
    for (const { rule } of plants) expect(stdout).toContain(`error ${rule}: `);
    expect(status).not.toBe(0);
  });
});
