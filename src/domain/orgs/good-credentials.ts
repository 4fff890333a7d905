const rememberedForMs = 3_600_000;

/** What the database said of a credential, or is saying, and how long it may be repeated without asking again. */
export interface Belief<Found> {
  readonly record: Promise<Found | undefined>;
  readonly until: number;
}

export interface GoodCredentials<Found> {
  /** Nothing, when the credential was not found good within the last hour. */
  find(name: string, now: number): Belief<Found> | undefined;
  /** Has the next callers share a look-up that began; of a credential that was not good lately it keeps nothing. */
  renew(name: string, belief: Belief<Found>): void;
  keep(name: string, belief: Belief<Found>, goodAt: number): void;
  drop(name: string): void;
}

/**
 * Credentials that were good lately, by the hashes of their secrets. Only those that exist come in, so made-up ones push
 * none out. Of too many, the one goes that was looked up longest ago.
 */
export function goodCredentials<Found>(most: number): GoodCredentials<Found> {
  const kept = new Map<string, { belief: Belief<Found>; readonly goodAt: number }>();
  return {
    find: (name, now) => {
      const one = kept.get(name);
      return one !== undefined && now - one.goodAt < rememberedForMs ? one.belief : undefined;
    },
    renew: (name, belief) => {
      const one = kept.get(name);
      if (one !== undefined) one.belief = belief;
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
