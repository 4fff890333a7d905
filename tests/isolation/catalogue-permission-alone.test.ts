import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import type { Permission } from '../../src/kernel/caller.ts';
import type { KindOfCaller } from '../support/kinds-of-caller.ts';
import { useWorld } from '../support/world.ts';
import { inputWith, newFurnished, readTableOf, type TableOf } from './furnished-orgs.ts';
import { ofKind } from './of-kind.ts';

const world = useWorld();

let tableOf: TableOf;
const made = new Map<string, ReturnType<typeof make>>();
beforeAll(async () => {
  tableOf = await readTableOf(world());
});

/** An organization with everything in it, and a caller who has that permission alone. */
async function make(caller: KindOfCaller, permission: Permission | undefined) {
  const own = await newFurnished(world());
  // Tools may not change an external id, whatever they are granted. That is no matter of permissions.
  await world().admin.query(
    "update identifiers set type = 'chat_user_id' where org_id = $1 and type = 'org_assigned_user_id'",
    [own.org.id],
  );
  const who = await caller.having(world(), own.org, permission === undefined ? [] : [permission]);
  return { ids: own.ids, who };
}

/** Operations of one permission share both: what one of them deleted the next does not find, which is no refusal. */
function once(caller: KindOfCaller, permission: Permission | undefined) {
  if (permission === undefined) return make(caller, permission);
  const name = `${caller.kind} ${permission}`;
  const one = made.get(name) ?? make(caller, permission);
  made.set(name, one);
  return one;
}

test.each((['key', 'session', 'connection'] as const).flatMap((kind) => ofKind(kind, operations)))(
  '$name is open to a $kind with its permission and as few others as there can be',
  async ({ operation, caller }) => {
    const { permission } = operation as { permission?: Permission };
    const { ids, who } = await once(caller, permission);
    for (const way of caller.ways(operation)) {
      const { status } = await way.call(who, inputWith(ids, tableOf, operation, way, 'few'));
      expect({ way: way.name, status }).toEqual({
        way: way.name,
        status: expect.not.toBeOneOf([401, 403, 429, 500, 503]),
      });
    }
  },
);
