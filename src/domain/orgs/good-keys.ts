import type { KeyRecord } from './api-key.ts';

const rememberedForMs = 3_600_000;

/** What the database said of a key, or is saying, and how long it may be repeated without asking again. */
export interface Belief {
  readonly record: Promise<KeyRecord | undefined>;
  readonly until: number;
}

export interface GoodKeys {
  /** Nothing, when the key was not found good within the last hour. */
  find(name: string, now: number): Belief | undefined;
  /** Has the next callers share a look-up that began; of a key that was not good lately it keeps nothing. */
  renew(name: string, belief: Belief): void;
  keep(name: string, belief: Belief, goodAt: number): void;
  drop(name: string): void;
}

/**
 * Keys that were good lately, by the hashes of their secrets. Only keys that exist come in, so made-up ones push none
 * out. Of too many, the one goes that was looked up longest ago.
 */
export function goodKeys(most: number): GoodKeys {
  const kept = new Map<string, { belief: Belief; readonly goodAt: number }>();
  return {
    find: (name, now) => {
      const key = kept.get(name);
      return key !== undefined && now - key.goodAt < rememberedForMs ? key.belief : undefined;
    },
    renew: (name, belief) => {
      const key = kept.get(name);
      if (key !== undefined) key.belief = belief;
    },
    keep: (name, belief, goodAt) => {
      kept.delete(name);
      kept.set(name, { belief, goodAt });
      const [oldest] = kept.keys();
      if (kept.size > most) kept.delete(oldest!);
    },
    drop: (name) => void kept.delete(name),
  };
}
