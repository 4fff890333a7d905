import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';

const mostHeapMb = 256;

/** What calls cost the thread that answered them. */
export interface Cost {
  /** How far its heap grew beyond what it held before. */
  readonly grownMb: number;
  /** The longest stretch of processor time in which it answered nobody else. */
  readonly busyMs: number;
}

export interface WatchedApi {
  /** Calls the API and answers what that cost. Fails if the thread runs out of memory. */
  cost<T>(call: (org: TestOrg) => Promise<T>): Promise<Cost & { readonly answer: T }>;
  close(): Promise<unknown>;
}

/** The API on a thread of its own with little memory, which watches itself. */
export async function watchedApi(world: World, org: TestOrg): Promise<WatchedApi> {
  const worker = new Worker(new URL('./watched-api-worker.ts', import.meta.url), {
    workerData: { config: world.config, databaseUrl: world.databaseUrl },
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
  });
  const died = new Promise<never>((_, reject) => worker.once('error', reject));
  died.catch(() => undefined); // a call that is under way fails by it
  const told = async <T>(): Promise<T> => ((await Promise.race([once(worker, 'message'), died])) as [T])[0];
  const ask = <T>(word: 'watch' | 'tell'): Promise<T> => {
    const answer = told<T>();
    worker.postMessage(word);
    return answer;
  };
  const watched = new TestOrg(await told<string>(), org.id, org.keyId, org.secret);
  return {
    async cost(call) {
      await ask('watch');
      // A thread that died hangs up, too: why it died says more.
      const answer = await call(watched).catch((error: unknown) => Promise.race([died, sooner(error)]));
      return { answer, ...(await ask<Cost>('tell')) };
    },
    close: () => worker.terminate(),
  };
}

const sooner = (error: unknown): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(error as Error), 5_000));
