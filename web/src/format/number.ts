const whole = new Intl.NumberFormat('en-GB');

/** 18,902 */
export const count = (value: number): string => whole.format(value);

/** 1 person, 18,902 people */
export const people = (value: number): string => `${count(value)} ${value === 1 ? 'person' : 'people'}`;

/** €149, without cents where there are none. */
export const money = (value: number, currency: string): string =>
  new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
  }).format(value);
