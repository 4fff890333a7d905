/** Whether an audience differs from what it was by more than so many percent of that. Anybody is more than nobody. */
export const hasChangedBeyond = (percent: number, before: number, now: number): boolean =>
  Math.abs(now - before) * 100 > percent * before;
