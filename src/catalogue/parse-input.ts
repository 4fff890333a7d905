import type { z } from 'zod';
import type { Caller } from '../kernel/caller.ts';
import { Failure, invalidRequest, type FieldError } from '../kernel/failure.ts';
import { explainIssue } from '../kernel/explain-issue.ts';
import { escapePointer, findHostileText } from '../kernel/hostile-text.ts';
import type { AnyOperation } from '../kernel/operation.ts';

const mostErrors = 20;

/** The input as the operation takes it, or a refusal that points at every field. */
export const parseInput = (operation: AnyOperation, caller: Caller, raw: unknown): unknown =>
  parseFields(inputFor(operation, caller), raw);

export function parseFields(schema: z.ZodObject, raw: unknown): unknown {
  const hostile = findHostileText(raw);
  if (hostile !== undefined) throw new Failure('invalid_request', hostile.detail, { errors: [hostile] });
  const parsed = schema.safeParse(raw, { error: explainIssue });
  if (!parsed.success) {
    const errors = parsed.error.issues.flatMap((issue) => toFieldErrors(issue)).slice(0, mostErrors);
    throw invalidRequest(errors);
  }
  return parsed.data;
}

const withoutGuarded = new WeakMap<AnyOperation, z.ZodObject>();

/** The input this caller may send: a field that needs a power it lacks is refused like any unknown field. */
export function inputFor(operation: AnyOperation, caller: Pick<Caller, 'powers'>): z.ZodObject {
  const guarded = Object.entries(operation.guarded ?? {});
  if (guarded.every(([, power]) => caller.powers.has(power))) return operation.input as z.ZodObject;
  let narrowed = withoutGuarded.get(operation);
  if (narrowed === undefined) {
    const mask = Object.fromEntries(guarded.map(([field]) => [field, true as const]));
    narrowed = (operation.input as z.ZodObject).omit(mask as never);
    withoutGuarded.set(operation, narrowed);
  }
  return narrowed;
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const pointer = issue.path.map((step) => `/${escapePointer(String(step))}`).join('');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key, at) => ({
      pointer: `${pointer}/${escapePointer(key)}`.slice(0, 300),
      code: 'unknown_field',
      // Only the first error lists the known fields.
      detail: `There is no field ${key.slice(0, 100)} here.${at === 0 ? ` ${issue.message}` : ''}`,
    }));
  }
  const allowed = issue.code === 'invalid_value' ? { allowed: issue.values.map(String) } : {};
  return [{ pointer, code: issue.code, detail: issue.message, ...allowed }];
}
