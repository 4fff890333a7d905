import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { permissions, type Permission } from '../../src/kernel/caller.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { waysTo } from '../support/call-operation.ts';
import { checksums } from '../support/furnish.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import {
  inputWith,
  keyWith,
  newFurnished,
  readTableOf,
  settle,
  type Furnished,
  type TableOf,
} from './furnished-orgs.ts';

const world = useWorld();
const catalogue: readonly AnyOperation[] = operations;
const writing = catalogue.filter(({ effect }) => effect !== 'read');
const asked = [...new Set(catalogue.map(({ permission }) => permission))];

let mine: Furnished;
let tableOf: TableOf;
let reader: TestOrg;
const allBut = new Map<Permission, TestOrg>();

beforeAll(async () => {
  mine = await newFurnished(world());
  tableOf = await readTableOf(world());
  await settle(world(), mine.org);
  reader = await keyWith(world(), mine.org, (one) => one.endsWith('.read'));
  for (const permission of asked) {
    allBut.set(permission, await keyWith(world(), mine.org, (one) => one !== permission));
  }
});

interface Refusal {
  readonly way: string;
  readonly status: number;
  readonly code: unknown;
  readonly names: boolean;
}

/** Every way to the operation, tried with this key and inputs that are otherwise valid. */
async function tryAll(operation: AnyOperation, key: TestOrg): Promise<Refusal[]> {
  const answers: Refusal[] = [];
  for (const way of waysTo(operation)) {
    for (const fields of ['all', 'few'] as const) {
      const { status, body } = await way.call(key, inputWith(mine.ids, tableOf, operation, way, fields));
      const { code, detail } = body as { code?: unknown; detail?: string };
      answers.push({ way: way.name, status, code, names: detail?.includes(operation.permission) === true });
    }
  }
  return answers;
}

const refused = { way: expect.any(String) as string, status: 403, code: 'forbidden', names: true };

test.each(catalogue)(
  'AUT-022 $name is refused to whoever has every permission but $permission',
  async (operation) => {
    const before = await checksums(world().admin);
    const answers = await tryAll(operation, allBut.get(operation.permission)!);
    expect(answers).toEqual(answers.map(() => refused));
    expect(await checksums(world().admin)).toEqual(before);
  },
);

test.each(writing)('AUT-022 $name is refused to a credential that may only read', async (operation) => {
  const before = await checksums(world().admin);
  const answers = await tryAll(operation, reader);
  expect(answers).toEqual(answers.map(() => refused));
  expect(await checksums(world().admin)).toEqual(before);
});

test('every operation asks for one of the permissions, and no write for one that is called reading', () => {
  expect(permissions).toEqual(expect.arrayContaining(asked));
  expect(writing.filter(({ permission }) => permission.endsWith('.read'))).toEqual([]);
});
