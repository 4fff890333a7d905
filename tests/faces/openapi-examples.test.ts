import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { ensureDemonstration } from '../../src/main/demonstration.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { tellStory, type Told } from '../support/example-story.ts';
import { isAccepted } from '../support/snapshots.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const file = join(import.meta.dirname, '../../src/faces/openapi/examples.json');
const catalogue: readonly AnyOperation[] = operations;
const files = ['export_people', 'export_broadcast_recipients', 'export_registrations'];
const names = [...catalogue.map(({ name }) => name), 'import_csv', ...files];
const world = useWorld();
let now: ReadonlyMap<string, Told>;
let committed: Readonly<Record<string, Told>>;

beforeAll(async () => {
  const { config, database, clock, url } = world();
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const { org, secret } = await ensureDemonstration(database, parts, clock.now());
  now = await tellStory(world(), new TestOrg(url, org, '', secret));
  if (isAccepted) {
    const sorted = names.map((name) => [name, now.get(name)]);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
  }
  committed = JSON.parse(readFileSync(file, 'utf8')) as typeof committed;
});

const update = 'to accept: UPDATE_SNAPSHOTS=1 npx vitest run tests/faces/openapi-examples.test.ts';

test(`every operation has an example from a run, and there is no other (${update})`, () => {
  expect(Object.keys(committed)).toEqual(names);
  expect([...now.keys()].toSorted()).toEqual(Object.keys(committed).toSorted());
});

test.each(catalogue)('$name answers as its example does, and both fit its schemas', (operation) => {
  const example = committed[operation.name]!;
  for (const one of [example, now.get(operation.name)!]) {
    expect(operation.input.safeParse(one.input)).toMatchObject({ success: true });
    expect(operation.output.safeParse(one.output)).toMatchObject({ success: true });
  }
  expect(Object.keys(now.get(operation.name)!.output)).toEqual(Object.keys(example.output));
});

test('no example has a word of somebody real or a key', () => {
  const text = JSON.stringify(committed);
  expect(text).not.toMatch(/rk_(test|live)_/);
  const addresses = new Set(Array.from(text.matchAll(/[\w+]@([\w-]+\.[\w.-]*\w)/g), ([, domain]) => domain));
  for (const domain of addresses) expect(domain).toMatch(/^example\.(com|org|net)$|\.test$/);
});
