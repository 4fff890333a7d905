import { z } from 'zod';

/** A custom property that was sent and is of no use, and why. Values are not repeated. */
export const LeftOut = z.object({
  key: z.string(),
  reason: z
    .enum(['not_convertible', 'reserved', 'built_in_field', 'no_key', 'too_many_configs'])
    .describe(
      'not_convertible: no value of its type; reserved: a key of the service; built_in_field: the name of a field that ' +
        'cannot be filled by it.',
    ),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** In an answer, where there is something to tell. */
export const tell = (leftOut: readonly LeftOut[]) => (leftOut.length === 0 ? {} : { left_out: [...leftOut] });
