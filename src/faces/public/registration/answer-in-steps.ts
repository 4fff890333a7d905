import { setTimeout as pause } from 'node:timers/promises';

/** Longer than registering somebody takes while nothing is overloaded: a repeat is done sooner, and not answered sooner. */
const stepMs = 250;

/** Ends at whole steps after it began, so that the time of an answer does not tell what there was to do. */
export async function answerInSteps<T>(act: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await act();
  } finally {
    await pause(stepMs - ((performance.now() - began) % stepMs));
  }
}
