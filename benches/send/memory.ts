import { atMost, told, type Figure } from '../support/figure.ts';
import { memoryOf, sharedMemoryOf } from '../support/process-figures.ts';

const everyMs = 5_000;

/** The most that several processes held together, looked at now and then. */
export function watchPeak(pids: () => readonly number[]): { most(): number; stop(): void } {
  let most = 0;
  const look = (): void => {
    most = Math.max(most, sharedMemoryOf(pids()));
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    most: () => {
      look();
      return most;
    },
    stop: () => clearInterval(timer),
  };
}

/** The most that each process held since it began or its peak was forgotten. Only the handlers are held to a bar. */
export const memoryFigures = (pids: Readonly<Record<string, number>>, when: string, bar?: number): Figure[] =>
  Object.entries(pids).map(([name, pid]) => {
    const { most } = memoryOf(pid);
    const title = `${name}: most megabytes, ${when}`;
    return name === 'handlers' && bar !== undefined ? atMost(title, most, bar, 1) : told(title, most);
  });
