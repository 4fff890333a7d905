import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../src/main/commands.ts';
import { settingNames } from '../../src/main/config.ts';

const compose = readFileSync('compose.yaml', 'utf8');

/** What compose.yaml gives the parts of Rostrum: a fixed value, or whatever the operator's environment holds. */
const given = new Map(
  Array.from(compose.matchAll(/^ +([A-Z][A-Z_]+): (.+)$/gm), ([, name, value]) => [name!, value!]),
);

test('compose.yaml passes every setting that there is', () => {
  expect(settingNames.filter((name) => !given.has(name))).toEqual([]);
});

test('compose.yaml gives a variable of the same name on, and no default of its own', () => {
  const passed = [...given].filter(([name, value]) => settingNames.includes(name) && value.startsWith('${'));
  expect(passed.length).toBeGreaterThan(25);
  for (const [name, value] of passed)
    expect([`\${${name}:-}`, expect.stringMatching(/:\?/)]).toContainEqual(value);
});

test('the reference lists every setting and every command, and no others', () => {
  const rows = readFileSync('docs/reference/settings.md', 'utf8').matchAll(/^\| (`[A-Z].*?) +\|/gm);
  const told = Array.from(rows, ([, names]) => names!.match(/[A-Z_]+/g)!).flat();
  expect(told.toSorted()).toEqual(settingNames.toSorted());
  const nameOf = (usage: string): string =>
    /^[a-z-]+( (create|list|allow|suspend|resume|delete|revoke)(?= |$))?/.exec(usage)![0];
  const page = readFileSync('docs/reference/command-line.md', 'utf8');
  const listed = Array.from(page.matchAll(/^\| `npx rostrum ([^`]+)`/gm), ([, usage]) => nameOf(usage!));
  const there = [...commands.values()].flatMap(({ help }) => help.map(([usage]) => nameOf(usage)));
  expect(listed.toSorted()).toEqual([...there, 'help'].toSorted());
});
