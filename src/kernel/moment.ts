import { z } from 'zod';

/** A moment as callers send it: ISO 8601 with a zone; the seconds may be left out. */
export const Moment = z
  .string()
  .max(40)
  .meta({ format: 'date-time' })
  .transform((text) => text.toUpperCase().replace(/(T\d\d:\d\d)(?=Z|[+-])/, '$1:00'))
  .pipe(z.iso.datetime({ offset: true }))
  .transform((text) => new Date(text));

/** A moment as it leaves: ISO 8601 UTC with milliseconds. */
export const MomentOut = z.stringFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const outgoing = (moment: Date | null): string | null =>
  moment === null ? null : moment.toISOString();

/** Part of every answer about time: a test organization's clock may be moved, and a model has no clock. */
export const nowOutput = { now: MomentOut.describe("The organization's time.") };
