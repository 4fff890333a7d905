import { Failure } from '../../src/kernel/failure.ts';
import { Random } from '../segments/random.ts';
import type { World } from '../support/world.ts';
import { actionsOfMessages } from './actions-of-messages.ts';
import { actionsOfPeople, type Action } from './actions-of-people.ts';
import { actionsOfWebinars } from './actions-of-webinars.ts';
import { arrangeStage, type Stage } from './stage.ts';
import { openWatched, type Deadlock } from './watched-pool.ts';

export const actions: Readonly<Record<string, Action>> = {
  ...actionsOfPeople,
  ...actionsOfWebinars,
  ...actionsOfMessages,
};

export interface PairsRun {
  readonly pairs: number;
  /** How often each action ended well: what never did was never tried. */
  readonly done: ReadonlyMap<string, number>;
  /** What ended in neither an answer nor a refusal. */
  readonly broken: readonly string[];
  readonly deadlocks: readonly (Deadlock & { readonly pair: string })[];
  /** As the server counted them. */
  readonly counted: number;
}

export interface PairsAsked {
  readonly pairs: number;
  readonly seed: number;
  /** Organizations that are busy at a time. */
  readonly workers: number;
  /** After so many an organization is worn out. */
  readonly pairsAStage: number;
  readonly onProgress?: (pairs: number) => void;
}

/** Runs random pairs of actions at once, each pair on the rows of one organization. */
export async function runPairs(world: World, asked: PairsAsked): Promise<PairsRun> {
  const chance = new Random(asked.seed);
  // Found soon, so that one costs milliseconds.
  await world.admin.query(
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''50ms''', current_database()); end $$`,
  );
  const watched = openWatched(world.databaseUrl, {
    size: asked.workers * 4,
    pauseMs: () => (chance.chance(0.3) ? chance.int(1, 4) : 0),
  });
  const before = await countDeadlocks(world);
  const run = { pairs: 0, done: new Map<string, number>(), broken: [] as string[] };
  const deadlocks: (Deadlock & { pair: string })[] = [];
  const names = Object.keys(actions);

  const act = async (stage: Stage, name: string): Promise<void> => {
    try {
      if ((await actions[name]!(stage)) !== 'nothing to do it with')
        run.done.set(name, (run.done.get(name) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof Failure)) run.broken.push(`${name}: ${String(error)} ${(error as Error).stack}`);
    }
  };

  const work = async (random: Random): Promise<void> => {
    while (run.pairs < asked.pairs) {
      const stage = await arrangeStage(world, watched.database, random);
      for (let n = 0; n < asked.pairsAStage && run.pairs < asked.pairs; n++) {
        run.pairs++;
        await stage.look();
        const pair = [random.pick(names), random.pick(names)];
        await Promise.all(pair.map((name) => act(stage, name)));
        for (const found of watched.deadlocks.splice(0)) deadlocks.push({ ...found, pair: pair.join(' + ') });
        if (run.pairs % 1_000 === 0) asked.onProgress?.(run.pairs);
      }
      await stage.admin.end();
    }
  };
  await Promise.all(
    Array.from({ length: asked.workers }, (_, worker) => work(new Random(asked.seed + worker + 1))),
  );
  await watched.close(); // a session tells the server what it counted when it ends
  return { ...run, deadlocks, counted: (await countDeadlocks(world)) - before };
}

async function countDeadlocks({ admin }: World): Promise<number> {
  await admin.query('select pg_stat_clear_snapshot()');
  const { rows } = await admin.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return rows[0]!.deadlocks;
}
