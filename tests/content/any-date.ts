import fc from 'fast-check';

/** A moment of the years 1 to 9999. */
export const anyMoment = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

export const anyZone = fc.constantFrom(
  ...Intl.supportedValuesOf('timeZone'),
  'UTC',
  'Etc/GMT+12',
  'Etc/GMT-14',
);

/** Mostly patterns: tokens of every length, with texts between them. */
export const anyPattern = fc.oneof(
  fc.constantFrom('relative-short', 'relative-today'),
  fc
    .array(
      fc.oneof(
        fc
          .tuple(
            fc.constantFrom(...'GyYRuQqMLwIdDEeciabBhHKkmsSXxOztTPp'.split('')),
            fc.integer({ min: 1, max: 6 }),
          )
          .map(([letter, count]) => letter.repeat(count)),
        fc.constantFrom('do', 'Mo', 'yo', 'wo', ' ', ', ', '-', "''", "'at'", '/', '🙂'),
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);
