import { slots } from './slots.ts';

const mostWaiting = 100;
const patienceMs = 1_000;
const stranger = 'anybody'; // nobody knows yet whose they are

export type FewAtOnce = <T>(act: () => Promise<T>) => Promise<T>;

/**
 * Acts for a few at once, so that what strangers ask for holds a small part of what all share. Some more wait in line for
 * a second at most; everybody else is refused at once.
 */
export function fewAtOnce(most: number, refuse: () => Error): FewAtOnce {
  const places = slots(most);
  const noWait = new AbortController().signal; // a timer for each who need not wait would outlive them all
  let present = 0;
  return async (act) => {
    if (present >= most + mostWaiting) throw refuse();
    present++;
    try {
      const patience = present > most ? AbortSignal.timeout(patienceMs) : noWait;
      if (!(await places.take(stranger, patience))) throw refuse();
      try {
        return await act();
      } finally {
        places.free(stranger);
      }
    } finally {
      present--;
    }
  };
}
