import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, exactly, type Figure } from '../../benches/support/figure.ts';
import type { Course } from './broadcast-course.ts';
import { killAtRandom } from './broadcast-kills.ts';
import { chanceOf, type Chance } from './chance.ts';
import type { ImportStage } from './import-stage.ts';
import type { Killable } from './part.ts';
import { PatientRows } from './workflow-rows.ts';

const parts = ['api', 'handlers', 'relay', 'engine', 'postgres'] as const;

// Of few rows one chunk is a fifth, and progress leaps.
const latest = 0.7;

/** How often each is killed. */
export type Kills = Readonly<Record<(typeof parts)[number], number>>;

interface Around {
  readonly watch: Course;
  /** Imports that are committed. */
  readonly asked: ReadonlyMap<string, string>;
  readonly lingerMs: number;
  readonly seed: number;
}

/** From the first commit on, each at moments of its own; handlers while they have rows in hand. */
export async function killDuringCommits(
  stage: ImportStage,
  kills: Kills,
  { watch, asked, lingerMs, seed }: Around,
): Promise<Figure[]> {
  while (asked.size === 0 && !watch.over()) await pause(20);
  const rows = new PatientRows(stage.postgres.url);
  const handlers = inMidChunk(stage.handlers, rows, { watch, lingerMs, chance: chanceOf(seed) });
  const victims: Readonly<Record<keyof Kills, Killable>> = { ...stage, handlers };
  const killed = await Promise.all(
    parts.map(async (name, index) => {
      const count = await killAtRandom([victims[name]], {
        times: kills[name],
        course: watch,
        latest,
        seed: seed + index,
      });
      return exactly(`kills of ${victims[name].name}`, count, kills[name]);
    }),
  );
  await rows.close();
  return [
    ...killed,
    atLeast('  of handlers, with rows written and not committed', handlers.hits, kills.handlers, 0.5),
  ];
}

const patienceMs = 60_000;

/** Waits until a chunk is under way, and kills somewhere in it. */
function inMidChunk(
  part: Killable,
  rows: PatientRows,
  { watch, lingerMs, chance }: Pick<Around, 'watch' | 'lingerMs'> & { readonly chance: Chance },
): Killable & { readonly hits: number } {
  // Parts are deleted last in a chunk: whoever has deleted some has written everything else.
  const isWritten = async (): Promise<boolean> => {
    const [seen] = await rows.query<{ held: boolean }>(`
      select exists (select 1 from pg_locks where relation = 'import_parts'::regclass and granted
        and mode = 'RowExclusiveLock' and pid in (select pid from pg_stat_activity where query ilike 'delete%')) as held`);
    return seen?.held === true;
  };
  const state = {
    name: part.name,
    hits: 0,
    start: () => part.start(),
    kill: async () => {
      const until = performance.now() + patienceMs;
      let isHit = false;
      // A chunk that was committed after all is let go, and the next one is waited for.
      while (!isHit && !watch.over() && performance.now() < until) {
        if (await isWritten()) {
          await pause(chance() * 0.3 * lingerMs);
          isHit = await isWritten();
        } else await pause(10);
      }
      if (isHit) state.hits += 1;
      await part.kill();
    },
  };
  return state;
}
