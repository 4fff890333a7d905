import { setTimeout as pause } from 'node:timers/promises';
import type { Course } from './broadcast-course.ts';
import type { Killable } from './part.ts';

/**
 * Kills each part at moments of its own, whatever the others are at: so some fall together, and some fall on parts that
 * are only just coming up. The first of each comes at once, while the audience is being prepared. Answers how many.
 */
export async function killAtRandom(
  victims: readonly Killable[],
  times: number,
  { progress, over }: Course,
  latest = 0.9, // later kills could find it ended
): Promise<number> {
  let killed = 0;
  await Promise.all(
    victims.map(async (victim) => {
      const moments = Array.from({ length: times }, (_, n) => (n === 0 ? 0 : Math.random() * latest));
      for (const moment of moments.toSorted((a, b) => a - b)) {
        await pause(Math.random() * 400);
        while (progress() < moment && !over()) await pause(20);
        if (over()) return;
        await victim.kill();
        await pause(100 + Math.random() * 400);
        await victim.start();
        killed += 1;
      }
    }),
  );
  return killed;
}
