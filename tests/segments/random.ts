/** Chance that can be repeated: mulberry32, which is small and even enough for choosing among things. */
export class Random {
  #state: number;

  constructor(start: number) {
    this.#state = start | 0;
  }

  /** From 0 up to but not including 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)]!;
  }

  /** One of several makers, each as likely as its weight says. */
  weighted<T>(...makers: readonly (readonly [weight: number, make: () => T])[]): T {
    let left = this.next() * makers.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of makers) {
      left -= weight;
      if (left < 0) return make();
    }
    return makers.at(-1)![1]();
  }

  /** A UUIDv7 of no particular time: ids must not happen to sort as people were made. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.int(0, 15).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
