const digits = new Map<string, number>();

/** How many minor digits a currency has: two for USD, none for JPY. */
function minorDigits(currency: string): number {
  let known = digits.get(currency);
  if (known === undefined) {
    known =
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      2;
    digits.set(currency, known);
  }
  return known;
}

export const toMajor = (minor: number, currency: string): number => minor / 10 ** minorDigits(currency);

/** For bounds: 0.1 + 0.2 must not slip past 0.3, so binary dust is rounded away before taking the whole unit. */
export function toMinorBound(major: number, currency: string, side: 'at_least' | 'at_most'): number {
  const minor = Number((major * 10 ** minorDigits(currency)).toPrecision(15));
  return side === 'at_least' ? Math.ceil(minor) : Math.floor(minor);
}
