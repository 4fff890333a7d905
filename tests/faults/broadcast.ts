import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { exactly, type Figure } from '../../benches/support/figure.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import { runCourse } from './broadcast-course.ts';
import { killAtRandom } from './broadcast-kills.ts';
import { closeAll, openStage, type Closing } from './broadcast-stage.ts';
import { restatePart } from './part.ts';

// In the small one the mail server takes its time, or it would be over before the first kill.
const plans = {
  small: { people: 2_000, times: 2, cutOneIn: 100, delayMs: 30, everyMs: 50, patience: 600 },
  full: { people: 100_000, times: 20, cutOneIn: 500, delayMs: 1, everyMs: 250, patience: 1_800 },
};

/**
 * A broadcast that goes as fast as it can, while API, handlers, relay, Restate and PostgreSQL are killed at random and
 * the mail server hangs up now and then. Nobody may be lost, nobody may get it twice, and at every moment each
 * recipient is accounted for.
 */
export async function broadcast(size: Size, { seed }: Options): Promise<Figure[]> {
  const { times, ...plan } = plans[size];
  const closing: Closing = [];
  try {
    const restate = await startLocalRestate();
    closing.push(restate.remove, () => restate.stop());
    const stage = await openStage({ ...plan, seed, engine: restate }, closing);
    const { hands, handlers, relay, api, postgres } = stage;
    const victims = [
      hands.ofHandlers(handlers),
      relay,
      api,
      hands.ofEngine(restatePart(restate)),
      hands.ofPostgres(postgres),
    ];
    tell('sending, under fire');
    return await runCourse(stage, plan, async (course) => {
      const killed = await killAtRandom(victims, { times, course, seed });
      return [
        exactly('kills of API, handlers, relay, Restate and PostgreSQL', killed, times * victims.length),
      ];
    });
  } finally {
    await closeAll(closing);
  }
}
