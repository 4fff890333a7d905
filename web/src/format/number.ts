const whole = new Intl.NumberFormat('en-GB');

/** 18,902 */
export const count = (value: number): string => whole.format(value);

/** 1 person, 18,902 people */
export const people = (value: number): string => `${count(value)} ${value === 1 ? 'person' : 'people'}`;

// Making one takes far longer than using it, and a table of people uses one for every cell.
const made = new Map<string, Intl.NumberFormat>();

/** €149, without cents where there are none. */
export function money(value: number, currency: string): string {
  const minimumFractionDigits = Number.isInteger(value) ? 0 : 2;
  const key = `${currency} ${minimumFractionDigits}`;
  const format =
    made.get(key) ??
    new Intl.NumberFormat('en-GB', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits,
    });
  made.set(key, format);
  return format.format(value);
}
