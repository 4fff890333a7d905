import { setTimeout as pause } from 'node:timers/promises';
import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { exactly, type Figure } from '../../benches/support/figure.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import { closeAll, openStage, type Closing, type Stage } from './broadcast-stage.ts';
import { judgeFailover } from './failover-judge.ts';
import { startFailoverPostgres, type FailoverPostgres } from './failover-postgres.ts';
import { isOver, recoverWhenHeld } from './release.ts';

const lagMs = 2_000;
const plans = {
  small: { people: 2_000, times: 1, delayMs: 30, patience: 300 },
  full: { people: 20_000, times: 10, delayMs: 10, patience: 1_800 },
};

/**
 * A broadcast during which the primary dies and a standby is promoted that had not heard of its last seconds. Sending
 * must hold by itself. After an operator released it, nobody may have got the message twice, nobody may be lost, and no
 * more may be uncertain than were handed over while the standby lagged.
 */
export async function failover(size: Size, { seed }: Options): Promise<Figure[]> {
  const { times, ...plan } = plans[size];
  const closing: Closing = [];
  try {
    const restate = await startLocalRestate();
    closing.push(restate.remove, () => restate.stop());
    const made: FailoverPostgres[] = [];
    const startPostgres = async () => {
      made.push(await startFailoverPostgres());
      return made[0]!;
    };
    const stage = await openStage(
      { ...plan, cutOneIn: Infinity, seed, engine: restate, startPostgres },
      closing,
    );
    const id = await stage.begin();
    tell('sending, until the primary dies');
    let [unsure, died, held] = [0, 0, 0];
    for (let n = 0; n < times; n++) {
      const dying = await dieInMidBroadcast(stage, made[0]!, ((n + 0.5) / (times + 0.5)) * plan.people);
      unsure += dying.handedWhileLagging;
      died += Number(!(await isOver(stage, id)));
      held += Number(await recoverWhenHeld(stage, id));
    }
    const until = performance.now() + plan.patience * 1_000;
    while (!(await isOver(stage, id)) && performance.now() < until) await pause(200);
    await stage.handlers.kill('SIGTERM');
    return [
      exactly('primaries that died in mid-broadcast', died, times),
      exactly('times sending was held and released', held, times),
      ...(await judgeFailover(stage, id, { unsure, deaths: times })),
    ];
  } finally {
    await closeAll(closing);
  }
}

const takenBy = async ({ sink }: Stage): Promise<number> => (await sink.readLog()).taken.size;

async function dieInMidBroadcast(stage: Stage, postgres: FailoverPostgres, at: number) {
  await postgres.addStandby();
  while ((await takenBy(stage)) < at) await pause(50);
  const before = await takenBy(stage);
  postgres.lag();
  await pause(lagMs);
  await postgres.failOver();
  await pause(500); // messages that were under way have arrived
  const handedWhileLagging = (await takenBy(stage)) - before;
  tell(`the primary died; ${handedWhileLagging} messages were taken since the standby lagged`);
  return { handedWhileLagging };
}
