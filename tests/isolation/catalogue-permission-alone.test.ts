import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { waysTo } from '../support/call-operation.ts';
import { useWorld } from '../support/world.ts';
import { inputWith, newFurnished, readTableOf, type TableOf } from './furnished-orgs.ts';

const world = useWorld();
const catalogue: readonly AnyOperation[] = operations;

let tableOf: TableOf;
beforeAll(async () => {
  tableOf = await readTableOf(world());
});

test.each(catalogue)('$name is open to a credential with $permission alone', async (operation) => {
  const own = await newFurnished(world());
  const key = await world().newKey(own.org, [operation.permission]);
  for (const way of waysTo(operation)) {
    const { status } = await way.call(key, inputWith(own.ids, tableOf, operation, way, 'few'));
    expect({ way: way.name, status }).toEqual({
      way: way.name,
      status: expect.not.toBeOneOf([401, 403, 500, 503]),
    });
  }
});
