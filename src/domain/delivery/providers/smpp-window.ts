/** How many messages may be without an answer: at most so many at once; the others wait in line. */
export function placesFor(most: number) {
  let free = most;
  const line: (() => void)[] = [];
  const emptied = new Set<() => void>();
  return {
    /** Whether there was one; without a signal one is waited for as long as it takes. */
    take: async (signal?: AbortSignal): Promise<boolean> => {
      if (signal?.aborted === true) return false;
      if (free > 0) {
        free--;
        return true;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const enter = () => resolve(true);
      line.push(enter);
      signal?.addEventListener('abort', () => {
        const at = line.indexOf(enter);
        if (at >= 0) resolve((line.splice(at, 1), false));
      });
      return promise;
    },
    giveBack: (): void => {
      const next = line.shift();
      if (next !== undefined) next();
      else free++;
      if (free === most) for (const go of emptied) go();
    },
    /** When nobody is inside any more. */
    all: (): Promise<void> =>
      free === most ? Promise.resolve() : new Promise((resolve) => emptied.add(resolve)),
  };
}
