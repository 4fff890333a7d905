export interface Times {
  readonly best: number;
  readonly p50: number;
  readonly p95: number;
}

/** Calls one, then the other, so many times: whatever the machine does meanwhile, it does to both. */
export async function inTurns(
  turns: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<[Times, Times]> {
  const taken: [number[], number[]] = [[], []];
  for (let turn = -1; turn < turns; turn++) {
    for (const [side, call] of [first, second].entries()) {
      const started = performance.now();
      await call();
      if (turn >= 0) taken[side]!.push(performance.now() - started); // the first turn warms both
    }
  }
  return [timesOf(taken[0]), timesOf(taken[1])];
}

export function timesOf(taken: readonly number[]): Times {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
  return { best: at(0), p50: at(0.5), p95: at(0.95) };
}
