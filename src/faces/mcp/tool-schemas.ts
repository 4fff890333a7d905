import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { inputFor } from '../../catalogue/parse-input.ts';
import type { AnyOperation } from '../../kernel/operation.ts';

export type JsonSchema = Record<string, unknown>;

export interface ToolSchemas {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

const noPowers = { powers: new Set<never>() };

/** The fields of a problem object that an output may have under the same name, meaning something else. */
const problemFields = ['type', 'title', 'status', 'code', 'detail', 'instance', 'errors'];

const Refusal = z
  .looseObject({ code: z.string(), detail: z.string() })
  .meta({ id: 'Refusal', description: 'What a refused call (isError) holds.' });

/**
 * The schemas of a tool. The input comes without the fields that only powers open, since tool callers have none. A
 * refusal fits the output schema too, because clients built on the first SDK validate it, and would report a schema
 * mismatch instead of the refusal. Nothing in an output is required, so mostly it fits already.
 */
export function schemasOf(operation: AnyOperation): ToolSchemas {
  const known = derived.get(operation);
  if (known !== undefined) return known;
  const output = operation.output as z.ZodObject;
  const clashes = problemFields.some((field) => field in output.shape);
  const schemas = {
    input: derive(inputFor(operation, noPowers), 'input'),
    output: derive(clashes ? z.union([output, Refusal]) : output, 'output'),
  };
  derived.set(operation, schemas);
  return schemas;
}

/** They never change, and a process that serves several APIs, as the tests do, derives them once. */
const derived = new WeakMap<AnyOperation, ToolSchemas>();

/**
 * The SDK would parse as well, and a second parse of a transformed value fails: it is shown the schema and left nothing
 * to validate. It would also derive the JSON schema anew for every request, which cost ten times the call itself.
 */
export const advertise = (schema: JsonSchema): StandardSchemaWithJSON => ({
  '~standard': {
    version: 1,
    vendor: 'rostrum',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});

type Side = 'input' | 'output';

/** The protocol has one dialect where none is named. */
function derive(schema: z.ZodType, io: Side): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io });
  shorten(json, io);
  return json;
}

/**
 * A model reads the list of tools before every task, so it repeats nothing: a format comes without the pattern that
 * spells it out, an integer without the bounds of its number type. Outputs are left open, because fields may be added
 * within /v1 and a client that kept yesterday's list must not refuse today's answer; and they do not name a second time
 * what is always there, which was a third of the list. The OpenAPI document does.
 */
function shorten(schema: JsonSchema, side: Side): void {
  for (const inner of schemasWithin(schema)) shorten(inner, side);
  if (schema['format'] !== undefined) delete schema['pattern'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  const [some, none, ...others] = (schema['anyOf'] ?? []) as JsonSchema[];
  if (some !== undefined && none?.['type'] === 'null' && others.length === 0 && isPlain(some)) {
    const words = some['enum'] as unknown[] | undefined;
    const { anyOf: _, ...said } = schema;
    for (const key of Object.keys(schema)) delete schema[key];
    Object.assign(schema, some, said, { type: [some['type'], 'null'] }, words && { enum: [...words, null] });
  }
  if (side === 'input') return;
  delete schema['required'];
  delete schema['propertyNames'];
  const more = schema['additionalProperties'];
  if (more === false || isEmpty(more)) delete schema['additionalProperties'];
}

/** The schemas right inside one: under names, in a list, or alone. */
function schemasWithin(schema: JsonSchema): JsonSchema[] {
  const named = ['properties', '$defs'].flatMap((key) => Object.values(schema[key] ?? {}) as unknown[]);
  const listed = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as unknown[]);
  const single = ['items', 'additionalProperties', 'propertyNames'].map((key) => schema[key]);
  return [...named, ...listed, ...single].filter(isSchema);
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** Whether all it says is about values of its one type, so that null may stand beside it. */
const isPlain = (schema: JsonSchema): boolean =>
  typeof schema['type'] === 'string' && Object.keys(schema).every((key) => aboutOneType.has(key));
const aboutOneType = new Set([
  'type',
  'format',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'description',
]);

const isEmpty = (schema: unknown): boolean => isSchema(schema) && Object.keys(schema).length === 0;
