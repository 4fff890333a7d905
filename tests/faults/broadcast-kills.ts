import { setTimeout as pause } from 'node:timers/promises';
import { tell } from '../../benches/support/command.ts';
import type { Course } from './broadcast-course.ts';
import { chanceOf } from './chance.ts';
import type { Killable } from './part.ts';

export interface Killing {
  /** How often each is killed. */
  readonly times: number;
  readonly course: Course;
  readonly seed: number;
  readonly latest?: number;
}

/**
 * Kills each part at moments of its own, whatever the others are at: so some fall together, and some fall on parts that
 * are only just coming up. The first of each comes at once, while the audience is being prepared. Answers how many.
 */
export async function killAtRandom(
  victims: readonly Killable[],
  { times, course: { progress, over }, seed, latest = 0.9 }: Killing, // later kills could find it ended
): Promise<number> {
  let killed = 0;
  await Promise.all(
    victims.map(async (victim, index) => {
      const chance = chanceOf(seed + index);
      const kills = Array.from({ length: times }, (_, n) => ({
        moment: n === 0 ? 0 : chance() * latest,
        hesitateMs: chance() * 400,
        goneMs: 100 + chance() * 400,
      }));
      for (const { moment, hesitateMs, goneMs } of kills.toSorted((a, b) => a.moment - b.moment)) {
        await pause(hesitateMs);
        while (progress() < moment && !over()) await pause(20);
        if (over()) return;
        tell(`${(progress() * 100).toFixed(0)} %: ${victim.name} is killed for ${goneMs.toFixed(0)} ms`);
        await victim.kill();
        await pause(goneMs);
        await victim.start();
        killed += 1;
      }
    }),
  );
  return killed;
}
