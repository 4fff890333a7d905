import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import type { FieldError } from '../../kernel/failure.ts';
import { isLocalTime, withOffset } from '../../kernel/local-time.ts';
import { Moment } from '../../kernel/moment.ts';
import { readSettings } from '../orgs/settings.ts';
import type { SentCondition } from './condition.ts';
import { isDate } from './person-fields.ts';

/** A moment to filter by: one that decides no sending may come without its zone. */
export const FilterMoment = z
  .string()
  .max(40)
  .superRefine((text, ctx) => {
    if (isLocalTime(text) || Moment.safeParse(text).success) return;
    ctx.addIssue({
      code: 'invalid_format',
      format: 'datetime',
      message: "Must be ISO 8601; a date, or a time without a zone, is read in the organization's time zone.",
    });
  });

export const Warning = z.object({ pointer: z.string(), code: z.string(), detail: z.string() });

/** Reads texts without a zone in the organization's, which is asked for only then, and says so. */
async function readLocal(
  work: Work,
  sent: readonly { readonly pointer: string; readonly text: string }[],
): Promise<{ read: Map<string, string>; warnings: FieldError[] }> {
  const local = sent.filter(({ text }) => isLocalTime(text));
  if (local.length === 0) return { read: new Map(), warnings: [] };
  const { timezone } = await readSettings(work);
  const read = new Map(local.map(({ pointer, text }) => [pointer, withOffset(text, timezone)]));
  const warnings = local.map(({ pointer }) => ({
    pointer,
    code: 'zone_assumed',
    detail: `No time zone was sent. It was read in ${timezone}, as ${read.get(pointer)}.`,
  }));
  return { read, warnings };
}

/** Conditions with every date as a moment. */
export async function readLocalDates(
  work: Work,
  sent: readonly SentCondition[],
): Promise<{ filters: SentCondition[]; warnings: FieldError[] }> {
  const at = (index: number) => `/filters/${index}/value`;
  const dates = sent.flatMap(({ property, value }, index) =>
    property !== undefined && isDate(property) && typeof value === 'string'
      ? [{ pointer: at(index), text: value }]
      : [],
  );
  const { read, warnings } = await readLocal(work, dates);
  const filters = sent.map((condition, index) =>
    read.has(at(index)) ? { ...condition, value: read.get(at(index)) } : condition,
  );
  return { filters, warnings };
}

/** Bounds that were sent, as moments. */
export async function readBounds<Name extends string>(
  work: Work,
  sent: Readonly<Partial<Record<Name, string | undefined>>>,
): Promise<{ bounds: Partial<Record<Name, Date>>; warnings: FieldError[] }> {
  const given = Object.entries(sent) as [Name, string | undefined][];
  const texts = given.flatMap(([name, text]) => (text === undefined ? [] : [{ pointer: `/${name}`, text }]));
  const { read, warnings } = await readLocal(work, texts);
  const bounds: Partial<Record<Name, Date>> = {};
  for (const [name, text] of given) {
    if (text !== undefined) bounds[name] = Moment.parse(read.get(`/${name}`) ?? text);
  }
  return { bounds, warnings };
}
