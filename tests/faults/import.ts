import { setTimeout as pause } from 'node:timers/promises';
import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import type { Course } from './broadcast-course.ts';
import { closeAll, type Closing } from './broadcast-stage.ts';
import { chanceOf } from './chance.ts';
import { judgeLeftOvers } from './import-judge.ts';
import { killDuringCommits, type Kills } from './import-kills.ts';
import { openImportStage } from './import-stage.ts';
import { openTenant, type TenantPlan } from './import-tenant.ts';
import { watchImports } from './import-watch.ts';
import { PatientRows } from './workflow-rows.ts';

interface Plan {
  readonly tenants: readonly TenantPlan[];
  readonly kills: Kills;
  readonly lingerMs: number;
  readonly patience: number;
}

const plans: Record<Size, Plan> = {
  small: {
    tenants: [
      {
        people: 1_000,
        files: [
          { rows: 1_000, merges: 'allow' },
          { rows: 1_000, merges: 'allow' },
        ],
      },
      {
        people: 500,
        files: [
          { rows: 500, merges: 'allow' },
          { rows: 500, merges: 'skip_rows' },
          { rows: 500, merges: 'allow' },
          { rows: 500, merges: 'skip_rows' },
        ],
      },
    ],
    // Handlers most often: of so few rows there is little else to interrupt.
    kills: { api: 1, handlers: 4, relay: 1, engine: 2, postgres: 0 },
    lingerMs: 1_000,
    patience: 600,
  },
  full: {
    tenants: [
      { people: 25_000, files: [{ rows: 50_000, merges: 'allow' }] },
      {
        people: 5_000,
        files: Array.from({ length: 5 }, (_, n) => ({
          rows: 10_000,
          merges: n % 2 === 0 ? 'allow' : 'skip_rows',
        })),
      },
    ],
    kills: { api: 10, handlers: 10, relay: 10, engine: 10, postgres: 5 },
    lingerMs: 200,
    patience: 900,
  },
};

/**
 * Imports of two organizations, one of them a large one, the other one after another, while API, handlers, relay and
 * Restate are killed at random, and PostgreSQL as well. At half the way the engine's whole state is thrown away. Every
 * row must have had its effect once, as a model has it that goes through the files row by row.
 */
export async function imports(size: Size, { seed }: Options): Promise<Figure[]> {
  const { tenants, kills, lingerMs, patience } = plans[size];
  const closing: Closing = [];
  try {
    const restate = await startLocalRestate();
    closing.push(restate.remove, () => restate.stop());
    const people = tenants.map((one) => one.people);
    const stage = await openImportStage({ people, restate, lingerMs }, closing);
    const rows = new PatientRows(stage.postgres.url);
    closing.push(() => rows.close());
    const asked = new Map<string, string>();
    const parties = [];
    for (const [index, tenant] of tenants.entries())
      parties.push(
        await openTenant(stage, { index, ...tenant }, { rows, chance: chanceOf(seed + index), asked }),
      );
    const wanted = parties.reduce((sum, { accepted }) => sum + accepted, 0);
    const watch = watchImports(stage.postgres.url, { url: stage.url, imports: asked }, wanted);

    tell('importing, under fire');
    const began = performance.now();
    // All of them come to their end, also when one fails: nobody may kill or start anything once it is all closed.
    const course = (async () => {
      try {
        return await Promise.all(parties.map((party) => party.run(patience)));
      } finally {
        await watch.stop();
      }
    })();
    const killing = killDuringCommits(stage, kills, { watch, asked, lingerMs, seed });
    const losing = loseAtHalf(stage.loseEngine, watch);
    await Promise.allSettled([course, killing, losing]);
    const done = await course;
    const seconds = (performance.now() - began) / 1000;
    const { api, handlers, relay } = stage;
    return [
      ...(await killing),
      exactly('times the engine lost everything', await losing, 1),
      exactly(
        'times a part ended by itself',
        api.endedByItself + handlers.endedByItself + relay.endedByItself,
        0,
      ),
      told('seconds', seconds),
      told(
        'calls that had to be made again',
        parties.reduce((sum, { again }) => sum + again(), 0),
      ),
      told('samples of the rows', watch.samples),
      exactly('  that do not add up', watch.unbalanced, 0),
      told('answers of the API', watch.answers),
      exactly('  that do not add up or go back', watch.wrong, 0),
      ...(await Promise.all(parties.map((party, index) => party.judge(done[index]!)))).flat(),
      ...(await judgeLeftOvers(rows)),
    ];
  } finally {
    await closeAll(closing);
  }
}

async function loseAtHalf(lose: () => Promise<void>, { progress, over }: Course): Promise<number> {
  while (progress() < 0.5 && !over()) await pause(20);
  if (over()) return 0;
  tell('throwing the engine state away');
  await lose();
  return 1;
}
