import { isLong } from '../../support/volume.ts';

const isHalf = (n: number): boolean => n >= 0xd8_00 && n <= 0xdf_ff;
/** Beyond the first plane what formats stands at the beginnings of two planes. */
const isTold = (n: number): boolean =>
  n <= 0xff_ff || (n >= 0x1_00_00 && n <= 0x1_ff_ff && n % 7 === 0) || (n >= 0xe_00_00 && n <= 0xe_02_00);

/** The code points that are characters. The gate leaves out most of those beyond the first plane. */
export const codePoints: readonly number[] = Array.from({ length: 0x10_ff_ff }, (_, at) => at + 1).filter(
  (n) => !isHalf(n) && (isLong || isTold(n) || n % 257 === 0),
);
