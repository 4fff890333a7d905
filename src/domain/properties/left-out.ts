import { z } from 'zod';

/** A custom property that was sent and could not be used, and why. Does not quote the value. */
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

/** The part of an answer that lists them; absent if there are none. */
export const tell = (leftOut: readonly LeftOut[]) => (leftOut.length === 0 ? {} : { left_out: [...leftOut] });
