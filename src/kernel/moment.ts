import { z } from 'zod';

/** A moment as callers send it: ISO 8601 with a zone. */
export const Moment = z.iso
  .datetime({ offset: true })
  .max(40)
  .transform((text) => new Date(text));

/** A moment as it leaves: ISO 8601 UTC with milliseconds. */
export const MomentOut = z.iso.datetime();

export const outgoing = (moment: Date | null): string | null =>
  moment === null ? null : moment.toISOString();
