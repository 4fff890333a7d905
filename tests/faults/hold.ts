import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import { closeAll, openStage, type Closing } from './broadcast-stage.ts';
import { chanceOf } from './chance.ts';
import { HoldRound, killOnceEach, outlivedByLeases } from './hold-round.ts';
import { restatePart } from './part.ts';

const plans = {
  small: { rounds: 1, people: 60, delayMs: 300 },
  full: { rounds: 40, people: 1_000, delayMs: 5 },
};

/**
 * Broadcasts whose audience changed, one after another, while handlers, relay, API and Restate are killed around the
 * moment of beginning, while it is held, and around the release. Nobody may get anything while it is held, and
 * everybody who is there at the release gets it once. Then half of them are made uncertain and sent to again, under fire:
 * one plan is one more message at most, and only to them.
 */
export async function hold(size: Size, { seed }: Options): Promise<Figure[]> {
  const { rounds, people, delayMs } = plans[size];
  const closing: Closing = [];
  try {
    const restate = await startLocalRestate();
    closing.push(restate.remove, () => restate.stop());
    const stage = await openStage(
      { people: rounds * people, cutOneIn: Infinity, delayMs, seed, engine: restate },
      closing,
    );
    const { handlers, relay, api } = stage;
    const victims = [outlivedByLeases(stage), relay, api, restatePart(restate)];
    const chance = chanceOf(seed);
    const began = performance.now();
    const totals = { kills: 0, whileHeld: 0, held: 0, uncertain: 0, lost: 0, twice: 0, strangers: 0 };
    const second = { again: 0, uncertainAgain: 0, lostAgain: 0, thrice: 0, others: 0, pending: 0 };
    for (let n = 0; n < rounds; n++) {
      tell(`round ${n + 1} of ${rounds}`);
      const round = await HoldRound.open(stage, n, people);
      const kill = () => killOnceEach(victims, chance);
      const [killed] = await Promise.all([kill(), round.becomeDue().then(() => round.untilHeld())]);
      totals.kills += killed + (await kill());
      await round.tellAgain();
      totals.whileHeld += await round.taken();
      totals.held += Number(await round.isHeld());
      const [again] = await Promise.all([kill(), round.release()]);
      totals.kills += again;
      await round.untilSent();
      const judged = await round.judge();
      for (const name of ['uncertain', 'lost', 'twice', 'strangers'] as const) totals[name] += judged[name];
      await round.doubt();
      const [more] = await Promise.all([kill(), round.resend()]);
      totals.kills += more;
      await round.untilSent();
      const once = await round.judgeAgain();
      for (const name of Object.keys(second) as (keyof typeof second)[]) second[name] += once[name];
    }
    return [
      exactly('kills of handlers, relay, API and Restate', totals.kills, rounds * 4 * victims.length),
      exactly(
        'times a part ended by itself',
        handlers.endedByItself + relay.endedByItself + api.endedByItself,
        0,
      ),
      told('seconds', (performance.now() - began) / 1000),
      exactly('broadcasts that were still held when they were released', totals.held, rounds),
      exactly('messages taken while their broadcast was held', totals.whileHeld, 0),
      told('uncertain', totals.uncertain),
      exactly('recipients of a release that got nothing and are not uncertain', totals.lost, 0),
      exactly('recipients that got it twice', totals.twice, 0),
      exactly('people who got it and were not there at the release', totals.strangers, 0),
      told('sent to again because they were uncertain', second.again),
      told('  uncertain once more', second.uncertainAgain),
      exactly('  sent again, and the second message was not taken', second.lostAgain, 0),
      exactly('  that got a third', second.thrice, 0),
      exactly('recipients that were certain and got a second', second.others, 0),
      exactly('recipients still pending', second.pending, 0),
    ];
  } finally {
    await closeAll(closing);
  }
}
