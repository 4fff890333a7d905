import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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
