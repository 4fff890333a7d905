// What is brought in at once must leave the same people as call after call would.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, openPool, type Database } from '../../src/database/pool.ts';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { serviceWork } from '../../src/database/service-work.ts';
import { newId, type OrgId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { useWorld } from '../support/world.ts';
import { isLong, seed } from '../support/volume.ts';
import { arrangeList } from './arrange-list.ts';
import { goInChunks, goOneByOne, type RunInTurn, type Merges } from './go-through-list.ts';
import { list, type List } from './identify-list.ts';
import { readPeople } from './list-remains.ts';

const world = useWorld();
let pool: ReturnType<typeof openPool>;
let database: Database;

beforeAll(() => {
  // What a crash of the database would lose is not asked here.
  const url = `${world().databaseUrl}?options=-c%20synchronous_commit%3Doff`;
  pool = openPool({ url, size: 8, onError: () => undefined });
  database = openDatabase(pool);
});
afterAll(() => pool.end());

/** Lists gone through side by side. */
const sideBySide = 4;
const begun = new Date('2031-05-01T12:00:00Z');

const inTurnOf =
  (org: OrgId): RunInTurn =>
  (second, handle) =>
    orgTransaction(database, org, 'write', (db) => {
      const now = new Date(begun.getTime() + second * 1_000);
      const { config } = world();
      const moment = {
        db,
        org,
        now,
        mode: 'live',
        currency: 'USD',
        actor: 'a list',
        requestId: 'none',
      } as const;
      return handle(serviceWork({ keys: keyring(config), mail: mailSettings(config) }, moment));
    });

async function newOrg(lists: List): Promise<OrgId> {
  const org = newId<OrgId>(new Date());
  await pool.query(
    `insert into organizations (id, name, mode, created_at) values ($1, 'A list', 'live', now())`,
    [org],
  );
  await inTurnOf(org)(-86_400, (work) => arrangeList(work, lists));
  return org;
}

/** How the two ways through a list end. */
async function bothWays(one: List, merges: Merges) {
  const [apart, together] = [await newOrg(one), await newOrg(one)];
  const [counted, counts] = await Promise.all([
    goOneByOne(database, inTurnOf(apart), one, merges),
    goInChunks(inTurnOf(together), one, merges),
  ]);
  const oneByOne = { ...counted, left: await readPeople(pool, apart, begun) };
  return { oneByOne, inChunks: { ...counts, left: await readPeople(pool, together, begun) } };
}

test.each([
  { merges: 'allow', howMany: isLong ? 400 : 16 },
  { merges: 'leave_out', howMany: isLong ? 200 : 8 },
] as const)(
  'after $howMany lists the people are those that one call after another leaves (merges: $merges)',
  async ({ merges, howMany }) => {
    const seen = { created: 0, merged: 0, leftOut: 0, optedOut: 0 };
    const holds = fc.asyncProperty(
      fc.tuple(...Array.from({ length: sideBySide }, () => list)),
      async (lists) => {
        const ends = await Promise.all(lists.map((one) => bothWays(one, merges)));
        for (const { oneByOne, inChunks } of ends) {
          expect(inChunks).toEqual(oneByOne);
          seen.created += inChunks.created;
          seen.merged += inChunks.merged;
          seen.optedOut += inChunks.optedOut;
          seen.leftOut += inChunks.outcomes.filter((outcome) => outcome === 'merges').length;
        }
      },
    );
    await fc.assert(holds, { numRuns: howMany / sideBySide, seed, endOnFailure: true });
    // Lists that merge nobody, or leave nobody out, would prove nothing.
    expect(seen.created).toBeGreaterThan(howMany / 2);
    expect(seen.optedOut).toBeGreaterThan(howMany / 2);
    expect(merges === 'allow' ? seen.merged : seen.leftOut).toBeGreaterThan(howMany);
  },
  900_000,
);
