import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { inputFor } from '../../catalogue/parse-input.ts';
import type { AnyOperation } from '../../kernel/operation.ts';

export interface ToolSchemas {
  readonly input: StandardSchemaWithJSON;
  readonly output: StandardSchemaWithJSON;
}

const noPowers = { powers: new Set<never>() };

/** What a program needs of the problem object; it holds more. */
const Refusal = z
  .looseObject({
    code: z.string(),
    detail: z.string(),
    request_id: z.string(),
    errors: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .meta({ id: 'Refusal', description: 'What a refused call (isError) holds.' });

/**
 * The schemas a tool advertises. The input comes without the fields that only powers open, since tool callers have
 * none. The output is the operation's own or a refusal: clients built on the first SDK hold a refusal to the output
 * schema too, and would tell the caller of a schema that does not fit instead of what was refused.
 */
export const schemasOf = (operation: AnyOperation): ToolSchemas => ({
  input: advertise(inputFor(operation, noPowers)),
  output: advertise(z.union([operation.output as z.ZodObject, Refusal])),
});

/**
 * The SDK would parse as well, and a second parse of a transformed value fails: it is shown the schema and left nothing
 * to validate. It would also derive the JSON schema anew for every request, which cost ten times the call itself.
 */
function advertise(schema: z.ZodType): StandardSchemaWithJSON {
  const standard = schema['~standard'] as StandardSchemaWithJSON['~standard'];
  const derive = (side: 'input' | 'output') => {
    const known = new Map<string, Record<string, unknown>>();
    return (options: Parameters<typeof standard.jsonSchema.input>[0]) => {
      const key = JSON.stringify(options);
      const derived =
        known.get(key) ??
        standard.jsonSchema[side]({ ...options, libraryOptions: { override: shorten(side) } });
      known.set(key, derived);
      return derived;
    };
  };
  return {
    '~standard': {
      ...standard,
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: derive('input'), output: derive('output') },
    },
  };
}

/**
 * A list of tools is read by a model before every task, so it says each thing once: a format stands without the pattern
 * that spells it out, an integer without the bounds of its number type. Outputs are left open, because fields may be
 * added within /v1 and a client that kept yesterday's list must not refuse today's answer.
 */
const shorten =
  (side: 'input' | 'output') =>
  ({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void => {
    if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
    if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
    if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
    const more = jsonSchema['additionalProperties'];
    if (side === 'output' && (more === false || isEmpty(more))) delete jsonSchema['additionalProperties'];
  };

const isEmpty = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
