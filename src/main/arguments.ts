import type { z } from 'zod';

/** A usage error: the message is printed with the list of commands. */
export class UsageError extends Error {}

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

export function word(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing.`);
  return value;
}

export function wholeNumber(values: Values, name: string): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0) throw new UsageError(`--${name} takes a whole number.`);
  return number;
}

export function readId<Schema extends z.ZodType>(
  schema: Schema,
  values: Values,
  name: string,
): z.output<Schema> {
  const parsed = schema.safeParse(word(values, name));
  if (!parsed.success) throw new UsageError(`--${name} takes an id.`);
  return parsed.data;
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** One line of JSON, so that a script can read it. */
export const answer = (result: object): void => say(JSON.stringify(result));
