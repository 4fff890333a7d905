import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { permissions } from '../../src/kernel/caller.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import type { KindName, KindOfCaller } from '../support/kinds-of-caller.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { HeldUnchanged } from './held-unchanged.ts';
import { ofKind } from './of-kind.ts';
import {
  inputWith,
  newFurnished,
  readTableOf,
  settle,
  type Furnished,
  type TableOf,
} from './furnished-orgs.ts';

/** Tests that every operation is refused to one kind of caller without its permission. */
export function holdToPermissions(kind: KindName): void {
  const world = useWorld();
  const catalogue: readonly AnyOperation[] = operations;
  const asking = catalogue.filter(({ permission }) => permission !== undefined);
  const writing = asking.filter(({ effect }) => effect !== 'read');
  const asked = [...new Set(asking.map(({ permission }) => permission!))];

  let mine: Furnished;
  let tableOf: TableOf;
  const callers = new Map<string, Promise<TestOrg>>();

  beforeAll(async () => {
    mine = await newFurnished(world());
    tableOf = await readTableOf(world());
    await settle(world(), mine.org);
    await held.begin();
  });

  const held = new HeldUnchanged(world);
  let turn = 0;

  /** One caller for each kind and set of permissions, settled. */
  function once(name: string, make: () => Promise<TestOrg>): Promise<TestOrg> {
    const made =
      callers.get(name) ??
      held.meaning(async () => {
        const who = await make();
        await settle(world(), who);
        return who;
      });
    callers.set(name, made);
    return made;
  }

  interface Refusal {
    readonly way: string;
    readonly status: number;
    readonly code: unknown;
    readonly names: boolean;
  }

  /** Every way to the operation, tried by this caller with inputs that are otherwise valid. */
  async function tryAll(operation: AnyOperation, caller: KindOfCaller, who: TestOrg): Promise<Refusal[]> {
    const answers: Refusal[] = [];
    for (const way of caller.ways(operation)) {
      // In the gate every way is tried with one of the two, in turns.
      for (const fields of isLong
        ? (['all', 'few'] as const)
        : ([turn++ % 2 === 0 ? 'all' : 'few'] as const)) {
        const { status, body } = await way.call(who, inputWith(mine.ids, tableOf, operation, way, fields));
        const { code, detail } = body as { code?: unknown; detail?: string };
        answers.push({
          way: way.name,
          status,
          code,
          names: detail?.includes(operation.permission!) === true,
        });
      }
    }
    return answers;
  }

  const refused = { way: expect.any(String) as string, status: 403, code: 'forbidden', names: true };

  test.each(ofKind(kind, asking).filter(({ operation, caller }) => caller.canLack(operation.permission!)))(
    'AUT-022 $name is refused to a $kind that has every permission but the one it needs',
    async ({ operation, caller, kind }) => {
      const permission = operation.permission!;
      const who = await once(`${kind} ${permission}`, () => caller.lacking(world(), mine.org, permission));
      const answers = await tryAll(operation, caller, who);
      expect(answers).toEqual(answers.map(() => refused));
      expect(await held.changedByCalls()).toEqual([]);
    },
  );

  const reading = permissions.filter((one) => one.endsWith('.read'));

  test.each(ofKind(kind, writing))(
    'AUT-022 $name is refused to a $kind that may only read',
    async ({ operation, caller, kind }) => {
      const who = await once(`${kind} reads`, () => caller.having(world(), mine.org, reading));
      const answers = await tryAll(operation, caller, who);
      expect(answers).toEqual(answers.map(() => refused));
      expect(await held.changedByCalls()).toEqual([]);
    },
  );

  test(`what was refused to a ${kind} changed nothing`, async () => {
    expect(await held.changed()).toEqual([]);
  });

  test('every operation asks for one of the permissions, and no write for one that is called reading', () => {
    expect(permissions).toEqual(expect.arrayContaining(asked));
    expect(writing.filter(({ permission }) => permission!.endsWith('.read'))).toEqual([]);
    const others = catalogue.filter(({ permission }) => permission === undefined).map(({ name }) => name);
    expect(others.toSorted()).toEqual(['end_connection', 'get_me', 'leave_organization', 'list_connections']);
  });
}
