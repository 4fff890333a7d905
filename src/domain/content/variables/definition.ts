import { z } from 'zod';

const mostVariables = 100;

/** Marks the place of the value in a template. */
export const valueMark = '{{var}}';

/** A variable's definition as callers send it. What its parts may be depends on what it reads: see accept-variables. */
export const SentDefinition = z
  .strictObject({
    variable: z.string().max(300).describe('A path from list_broadcast_variables, exactly as listed.'),
    fallback: z.string().max(2_000).optional().describe('Used when the person has no value.'),
    template: z.string().max(1_000).optional().describe(`Text around the value, with ${valueMark} in it.`),
    date_format: z
      .string()
      .max(100)
      .nullable()
      .optional()
      .describe('For dates: a date-fns pattern, relative-short or relative-today.'),
    text_format: z.enum(['name']).nullable().optional().describe('name repairs the casing of typed names.'),
  })
  .meta({ id: 'SentVariable' });
export type SentDefinition = z.infer<typeof SentDefinition>;

const placeholderName = /^(link_)?var_[A-Za-z0-9_-]{1,64}$/;

/** Definitions by the names of their placeholders. */
export const SentVariables = z
  .record(z.string().regex(placeholderName), SentDefinition)
  .refine(
    (sent) => Object.keys(sent).length <= mostVariables,
    `A broadcast has at most ${mostVariables} variables.`,
  );
export type SentVariables = z.infer<typeof SentVariables>;

/** A definition as it is stored and reads back: nothing left to a default. */
const Definition = z
  .object({
    variable: z.string(),
    fallback: z.string(),
    template: z.string(),
    date_format: z.string().nullable(),
    text_format: z.enum(['name']).nullable(),
  })
  .meta({ id: 'Variable' });
export type Definition = z.infer<typeof Definition>;

export const VariablesOut = z.record(z.string(), Definition);
export type Variables = z.infer<typeof VariablesOut>;
