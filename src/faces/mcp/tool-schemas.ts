import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { inputFor } from '../../catalogue/parse-input.ts';
import type { AnyOperation } from '../../kernel/operation.ts';

export interface ToolSchemas {
  readonly input: StandardSchemaWithJSON;
  readonly output: StandardSchemaWithJSON;
}

const noPowers = { powers: new Set<never>() };

/** The fields of a problem object that an output may have under the same name, meaning something else. */
const problemFields = ['type', 'title', 'status', 'code', 'detail', 'instance', 'errors'];

const Refusal = z
  .looseObject({ code: z.string(), detail: z.string() })
  .meta({ id: 'Refusal', description: 'What a refused call (isError) holds.' });

/**
 * The schemas a tool advertises. The input comes without the fields that only powers open, since tool callers have
 * none. A refusal fits the output schema too, because clients built on the first SDK hold it to that, and would tell the
 * caller of a schema that does not fit instead of what was refused. Nothing in an output is required, so mostly it does
 * by itself.
 */
export function schemasOf(operation: AnyOperation): ToolSchemas {
  const output = operation.output as z.ZodObject;
  const clashes = problemFields.some((field) => field in output.shape);
  return {
    input: advertise(inputFor(operation, noPowers)),
    output: advertise(clashes ? z.union([output, Refusal]) : output),
  };
}

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
        withoutDialect(
          standard.jsonSchema[side]({ ...options, libraryOptions: { override: shorten(side) } }),
        );
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

/** The protocol has one dialect where none is named. */
function withoutDialect(schema: Record<string, unknown>): Record<string, unknown> {
  delete schema['$schema'];
  return schema;
}

/**
 * A list of tools is read by a model before every task, so it says each thing once: a format stands without the pattern
 * that spells it out, an integer without the bounds of its number type. Outputs are left open, because fields may be
 * added within /v1 and a client that kept yesterday's list must not refuse today's answer; and they do not name a second
 * time what is always there, which was a third of the list. The OpenAPI document does.
 */
const shorten =
  (side: 'input' | 'output') =>
  ({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void => {
    if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
    if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
    if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
    if (side === 'output') delete jsonSchema['required'];
    const choices = jsonSchema['anyOf'] as Record<string, unknown>[] | undefined;
    const [some, none] = choices ?? [];
    if (choices?.length === 2 && none?.['type'] === 'null' && isPlain(some!)) {
      delete jsonSchema['anyOf'];
      const words = some!['enum'] as unknown[] | undefined;
      Object.assign(jsonSchema, some, { type: [some!['type'], 'null'] }, words && { enum: [...words, null] });
    }
    if (side === 'output') delete jsonSchema['propertyNames'];
    const more = jsonSchema['additionalProperties'];
    if (side === 'output' && (more === false || isEmpty(more))) delete jsonSchema['additionalProperties'];
  };

const isPlain = (schema: Record<string, unknown>): boolean =>
  typeof schema['type'] === 'string' &&
  Object.keys(schema).every((key) => ['type', 'format', 'enum'].includes(key));

const isEmpty = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
