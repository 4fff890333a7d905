import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { performer, type Perform } from '../../src/catalogue/perform.ts';
import { keyring } from '../../src/main/keys.ts';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { newId, type OrgId } from '../../src/kernel/ids.ts';
import { useWorld, type World } from '../support/world.ts';
import { isLong, seed } from '../support/volume.ts';
import { history, type History } from './identify-history.ts';
import { judge, judgeOrder, readRemains } from './judge-history.ts';
import { runHistory, type Answers } from './run-history.ts';

const connections = 16;

let world: () => World;
let perform: Perform;

/** How histories are run: so many side by side, each with so many calls at once, and what more is asked of the answers. */
export interface Mode {
  readonly sideBySide: number;
  readonly callsAtOnce: number;
  readonly alsoJudge: (one: History, answers: Answers) => string[];
  /** How many histories the gate tries. */
  readonly inGate: number;
}
export const oneByOne: Mode = { sideBySide: connections, callsAtOnce: 1, alsoJudge: judgeOrder, inGate: 25 };
export const allAtOnce: Mode = { sideBySide: 1, callsAtOnce: connections, alsoJudge: () => [], inGate: 12 };

interface Verdict {
  readonly one: History;
  readonly wrong: string[];
  readonly merges: number;
}

async function run(histories: readonly History[], mode: Mode): Promise<Verdict[]> {
  const orgs = await newOrgs(histories.length);
  const answers: Answers[] = [];
  const refusals: string[][] = histories.map(() => []);
  const waiting = histories.entries();
  const work = async (): Promise<void> => {
    for (const [index, one] of waiting) {
      answers[index] = await runHistory(perform, orgs[index]!, one, mode.callsAtOnce).catch(
        (error: Error) => {
          refusals[index]!.push(`a call was refused: ${error.message}`);
          return [];
        },
      );
    }
  };
  await Promise.all(Array.from({ length: mode.sideBySide }, work));
  const remains = await readRemains(world().admin, orgs);
  return histories.map((one, index) => {
    const refused = refusals[index]!;
    const judged = () => [
      ...judge(one, answers[index]!, remains[index]!),
      ...mode.alsoJudge(one, answers[index]!),
    ];
    return { one, wrong: refused.length > 0 ? refused : judged(), merges: remains[index]!.redirects.length };
  });
}

/** Organizations of their own, each with the property the calls send. */
async function newOrgs(count: number): Promise<OrgId[]> {
  const orgs = Array.from({ length: count }, () => newId<OrgId>(new Date()));
  await world().admin.query(
    `with made as (
       insert into organizations (id, name, mode, created_at)
       select id, 'A history', 'test', now() from unnest($1::uuid[]) id returning id
     )
     insert into property_configs (org_id, id, key, name, type, created_at)
     select id, id, 'noted', 'Noted', 'string', now() from made`,
    [orgs],
  );
  return orgs;
}

async function runMany(mode: Mode, howMany: number): Promise<{ wrong: string[]; merges: number }> {
  const histories = fc.sample(history, { numRuns: howMany, seed });
  const verdicts = await run(histories, mode);
  const merges = verdicts.reduce((sum, verdict) => sum + verdict.merges, 0);
  const failed = verdicts
    .filter(({ wrong }) => wrong.length > 0)
    .toSorted((a, b) => a.one.length - b.one.length);
  if (failed[0] === undefined) return { wrong: [], merges };
  const part = await smallestPart(failed[0].one, mode);
  return {
    wrong: [`${failed.length} of ${howMany} failed, seed ${seed}`, ...failed[0].wrong, JSON.stringify(part)],
    merges,
  };
}

/** As little of a failing history as still fails, so far as a minute of looking finds out. */
async function smallestPart(one: History, mode: Mode): Promise<History> {
  const holds = fc.asyncProperty(fc.subarray([...one], { minLength: 1 }), async (part) =>
    (await run([part], mode)).every(({ wrong }) => wrong.length === 0),
  );
  const found = await fc.check(holds, {
    seed,
    examples: [[[...one]]],
    interruptAfterTimeLimit: 60_000,
  });
  return found.counterexample?.[0] ?? one;
}

/** Each mode has a file of its own, so that they run side by side. */
export function judgeHistories(title: string, mode: Mode): void {
  // Here, because a worker loads this file once and may run both.
  world = useWorld();
  let pool: ReturnType<typeof openPool>;
  beforeAll(() => {
    // What a crash of the database would lose is not asked here, and waiting for the disk would take most of the time.
    const url = `${world().databaseUrl}?options=-c%20synchronous_commit%3Doff`;
    pool = openPool({ url, size: connections, onError: () => undefined });
    perform = performer(openDatabase(pool), keyring({ ROSTRUM_SECRET: randomBytes(32).toString('hex') }), {
      returnPathHost: 'bounce.example.net',
      publicUrl: 'https://rostrum.example.net',
    });
  });
  afterAll(() => pool.end());

  test(`IDN-021 IDN-022 IDN-023 after many histories of identify calls, ${title}, the people left are the connected groups`, async () => {
    const howMany = isLong ? 1_000 : mode.inGate;
    const { wrong, merges } = await runMany(mode, howMany);
    expect(wrong).toEqual([]);
    // Histories that merge nobody would prove nothing.
    expect(merges).toBeGreaterThan(howMany);
  }, 900_000);
}
