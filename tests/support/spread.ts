import { isLong } from './volume.ts';

/** Of a list of cases the gate tries so many, spread evenly from the first on; the long mode tries all. */
export const spread = <T>(all: readonly T[], some: number): readonly T[] =>
  isLong || all.length <= some
    ? all
    : Array.from({ length: some }, (_, n) => all[Math.floor((n * all.length) / some)]!);
