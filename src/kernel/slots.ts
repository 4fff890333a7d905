/** A number of places, taken in the order they were asked for. */
export interface Slots {
  /** Nothing is taken when the signal came first, and the answer is false. */
  take(signal: AbortSignal): Promise<boolean>;
  free(): void;
  /** Nobody holds a place or waits for one. */
  readonly unused: boolean;
}

export function slots(most: number): Slots {
  let taken = 0;
  const waiting = new Set<() => void>();
  return {
    take: (signal) => {
      if (signal.aborted) return Promise.resolve(false);
      if (taken < most) {
        taken++;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const called = () => {
          signal.removeEventListener('abort', gaveUp);
          resolve(true);
        };
        const gaveUp = () => {
          waiting.delete(called);
          resolve(false);
        };
        waiting.add(called);
        signal.addEventListener('abort', gaveUp, { once: true });
      });
    },
    free: () => {
      // A place that somebody waits for is handed on, not given back: else a newcomer could take it in between.
      const [next] = waiting;
      if (next === undefined) taken--;
      else {
        waiting.delete(next);
        next();
      }
    },
    get unused() {
      return taken === 0;
    },
  };
}

/** Acts in a place of its own. A stop that comes first is an error: whoever asked asks again, elsewhere. */
export async function inPlace<T>(places: Slots, stopping: AbortSignal, act: () => Promise<T>): Promise<T> {
  if (!(await places.take(stopping))) throw new Error('shutting down');
  try {
    return await act();
  } finally {
    places.free();
  }
}
