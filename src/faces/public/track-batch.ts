import type { Hit } from '../../domain/tracking/hit.ts';
import type { OrgId } from '../../kernel/ids.ts';

const collectMs = 10; // a longer wait would delay readers who follow a link, for nothing
const mostInBatch = 500;
// With more hits waiting, the database is not keeping up, and queueing would only take memory.
const mostInHand = 10_000;
const patienceMs = 5_000;

/** Writes hits of one organization and says where each leads. */
export type WriteHits = (org: OrgId, hits: readonly Hit[]) => Promise<readonly (string | undefined)[]>;

interface Waiting {
  readonly hit: Hit;
  readonly resolve: (url: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes hits one by one and writes them together: a statement for each costs as much as one for fifty. The answer comes
 * when the hit is committed, with where it leads.
 */
export function hitBatches(write: WriteHits): (org: OrgId, hit: Hit) => Promise<string | undefined> {
  let waiting = new Map<OrgId, Waiting[]>();
  let timer: NodeJS.Timeout | undefined;
  let inHand = 0;

  const send = async (org: OrgId, batch: readonly Waiting[]): Promise<void> => {
    try {
      const urls = await within(
        patienceMs,
        write(
          org,
          batch.map(({ hit }) => hit),
        ),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(urls[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    inHand -= batch.length;
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const collected = waiting;
    waiting = new Map();
    for (const [org, batch] of collected) void send(org, batch);
  };

  return (org, hit) => {
    if (inHand >= mostInHand) return Promise.reject(new Error('too many hits wait to be written'));
    inHand++;
    return new Promise((resolve, reject) => {
      const batch = waiting.get(org) ?? [];
      waiting.set(org, batch);
      batch.push({ hit, resolve, reject });
      if (batch.length >= mostInBatch) flush();
      else timer ??= setTimeout(flush, collectMs);
    });
  };
}

async function within<T>(milliseconds: number, done: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('the hits were not written in time')), milliseconds);
  try {
    return await Promise.race([done, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
