import { z } from 'zod';

/** A node's id in its graph, by which other nodes refer to it. */
export const NodeId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'A node is called by up to 64 letters, digits, _ and -, the first a letter or digit.',
  );

/** The next node. The check of the whole graph verifies that it exists. */
export const Next = z.string().max(64).optional();

/** What a form shows for one field of a node. */
export interface FormField {
  readonly label: string;
  readonly kind:
    | 'node'
    | 'minutes'
    | 'anchor'
    | 'filters'
    | 'line'
    | 'html'
    | 'text'
    | 'variables'
    | 'sender'
    | 'webinar'
    | 'event'
    | 'property'
    | 'value';
}

/** Unwraps a field that every graph without problems has. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A graph with problems is not compiled.');
  return value;
}
