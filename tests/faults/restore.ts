import { setTimeout as pause } from 'node:timers/promises';
import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { atMost, exactly, told, type Figure } from '../../benches/support/figure.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import { closeAll, openStage, type Closing, type Stage } from './broadcast-stage.ts';
import { keepRegistering } from './registrants.ts';
import { isOver, recoverWhenHeld } from './release.ts';
import { startRestorePostgres, type RestorePostgres } from './restore-postgres.ts';
import { judgeWhole, untilAllDone } from './whole-judge.ts';

const plans = {
  small: {
    people: 1_000,
    delayMs: 60,
    dumpAt: 0.2,
    agoMs: 3_000,
    everyMs: 50,
    waitMs: 2_000,
    patience: 300,
    sweepMs: 2_000,
  },
  // So slow that it lasts longer than the ten minutes since the dump.
  full: {
    people: 20_000,
    delayMs: 400,
    dumpAt: 0.1,
    agoMs: 600_000,
    everyMs: 500,
    waitMs: 60_000,
    patience: 1_800,
    sweepMs: undefined,
  },
};

/** Two lanes may have noted a window each that was not handed over, or whose claim alone the dump has. */
const inHand = 2 * 2 * 64;
const afterMs = 2_000;

/**
 * A database that is lost in mid-broadcast while people register, and restored from a dump of some time ago, under a
 * Restate that went on. Sending must hold by itself. After an operator released it, everything that is due in the
 * restored rows must be done, and nobody may get a message twice.
 */
export const restore = (size: Size, options: Options): Promise<Figure[]> =>
  loseAndRestore(size, options, startRestorePostgres);

export async function loseAndRestore(
  size: Size,
  { seed }: Options,
  startServer: () => Promise<RestorePostgres>,
): Promise<Figure[]> {
  const { people, delayMs, dumpAt, agoMs, everyMs, waitMs, ...waiting } = plans[size];
  const closing: Closing = [];
  try {
    const restate = await startLocalRestate();
    closing.push(restate.remove, () => restate.stop());
    const made: RestorePostgres[] = [];
    const startPostgres = async () => {
      made.push(await startServer());
      return made[0]!;
    };
    const sink = { delayMs, cutOneIn: Infinity, seed };
    const stage = await openStage({ people, ...sink, engine: restate, startPostgres }, closing);
    const postgres = made[0]!;
    await postgres.backUp?.();
    const id = await stage.begin();
    const registrants = await keepRegistering(stage, { everyMs, waitMs });
    closing.push(registrants.stop);

    while ((await takenBy(stage)) < dumpAt * people) await pause(50);
    const kept = { at: Date.now(), taken: await takenBy(stage) };
    await postgres.keep();
    tell(`kept with ${kept.taken} messages taken`);
    await pause(agoMs - (Date.now() - kept.at));
    const isMidway = !(await isOver(stage, id));
    const lostAt = Date.now();
    await postgres.loseAndRestore();
    const restoredAt = Date.now();
    await pause(500); // messages that were under way have arrived
    const since = (await takenBy(stage)) - kept.taken;
    tell(`restored; ${since} messages were taken since`);
    const held = await recoverWhenHeld(stage, id);
    const releasedAt = Date.now();
    await pause(afterMs);
    await registrants.stop();
    const isDone = await untilAllDone(stage.postgres.url, waiting);
    await stage.handlers.kill('SIGTERM');

    const survived = registrants.all.filter(
      ({ asked, answered }) => answered < kept.at || asked > restoredAt,
    );
    const { figures, uncertain } = await judgeWhole(
      stage,
      survived.map(({ email }) => email),
    );
    return [
      exactly('restored in mid-broadcast', Number(isMidway), 1),
      exactly('times sending was held and released', Number(held), 1),
      exactly('times all of it was done in the end', Number(isDone), 1),
      told('seconds from the loss to the database', (restoredAt - lostAt) / 1000),
      told('seconds from the loss to the release', (releasedAt - lostAt) / 1000),
      told('registrations', registrants.all.length),
      told('  that were not kept', registrants.all.length - survived.length),
      ...figures,
      atMost('uncertain, of those handed over since', uncertain, since + inHand, 1),
    ];
  } finally {
    await closeAll(closing);
  }
}

async function takenBy({ sink }: Stage): Promise<number> {
  const { messages } = await sink.readLog();
  return [...messages.values()].reduce((sum, times) => sum + times, 0);
}
