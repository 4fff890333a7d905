import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { performer } from '../../src/catalogue/perform.ts';
import type { Work } from '../../src/database/work.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { isAccepted, readSnapshots, writeSnapshots } from '../support/snapshots.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { callerOf } from './caller-of.ts';
import { openCounted, type Asked, type Counted } from './count-queries.ts';
import { arrangeFixedOrg } from './fixed-org.ts';
import { arrangeInputs } from './inputs.ts';
import { buffersOf, differing, sqlOf, toSnapshot } from './query-snapshot.ts';

const folder = join(import.meta.dirname, '../queries.snap');
const catalogue: readonly AnyOperation<Work>[] = operations;
const fileOf = ({ name }: Pick<AnyOperation, 'name'>): string => `${name}.sql`;

const world = useWorld();
let counted: Counted | undefined;
const now = new Map<string, string>();

beforeAll(async () => {
  const fixed = await arrangeFixedOrg(world());
  const inputOf = await arrangeInputs(world(), fixed);
  counted = openCounted(world().databaseUrl);
  const perform = performer(counted.database, keyring(world().config), mailSettings(world().config));
  const caller = callerOf(fixed.org, world().clock.now());
  for (const operation of catalogue) {
    const was = readSnapshots(folder).get(fileOf(operation)) ?? '';
    const isEnough = ({ buffers }: Asked) =>
      !isAccepted && !isLong && differing(buffers, buffersOf(was)).length === 0;
    const asked = await least(counted, () => perform(operation, caller, inputOf(operation)), isEnough).catch(
      (error: Error) => {
        throw new Error(`${operation.name} wants another input or state: ${error.message}`, { cause: error });
      },
    );
    now.set(fileOf(operation), toSnapshot(operation.name, asked));
  }
  if (isAccepted)
    writeSnapshots(folder, new Map([...now].map(([file, text]) => [file, unlessSame(file, text)])));
});
afterAll(() => counted?.close());

const update = 'to accept: UPDATE_SNAPSHOTS=1 npx vitest run tests/queries/query-snapshots.test.ts';

test(`every operation has a snapshot in tests/queries.snap, and there is no other (${update})`, () => {
  expect(catalogue.length).toBeGreaterThan(0);
  expect([...readSnapshots(folder).keys()]).toEqual(catalogue.map(fileOf).toSorted());
});

test.each(catalogue)(
  '$name sends the SQL that its snapshot shows and touches as many buffers',
  (operation) => {
    const [is, was] = [now.get(fileOf(operation))!, readSnapshots(folder).get(fileOf(operation)) ?? ''];
    expect(sqlOf(is)).toBe(sqlOf(was));
    expect(differing(buffersOf(is), buffersOf(was))).toEqual([]);
  },
);

// PostgreSQL plans a statement of a reference anew five times, which touches its indexes, and keeps its plan from then on.
const times = 8;

/**
 * Of each table the least of some times: the first ones warm what the connection keeps, any may begin a new page. The
 * gate stops at what is no difference.
 */
async function least(
  counter: Counted,
  act: () => Promise<unknown>,
  isEnough: (asked: Asked) => boolean,
): Promise<Asked> {
  const { statements, buffers } = await counter.count(act);
  for (let time = 1; time < times && !isEnough({ statements, buffers }); time++) {
    const again = await counter.count(act);
    for (const [table, n] of Object.entries(buffers)) buffers[table] = Math.min(n, again.buffers[table] ?? 0);
  }
  // What was rolled back lies about, and the next operation would step over it.
  await world().admin.query(`vacuum (index_cleanup on) ${Object.keys(buffers).join(', ')}`);
  return { statements, buffers };
}

/** What is no difference is not written anew, so that a reviewer sees only what changed. */
function unlessSame(file: string, text: string): string {
  const was = readSnapshots(folder).get(file) ?? '';
  const isSame = sqlOf(was) === sqlOf(text) && differing(buffersOf(text), buffersOf(was)).length === 0;
  return isSame ? was : text;
}
