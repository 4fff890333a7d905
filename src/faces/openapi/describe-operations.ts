import { z } from 'zod';
import type { Power } from '../../kernel/caller.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { describeCsvImport } from './describe-csv-import.ts';
import { describeFields, wordsFor } from './describe-fields.ts';
import { describeExports } from './describe-exports.ts';
import { exampleOf } from './examples.ts';
import { problem, refusalResponses, refusalsOf } from './refusals.ts';
import { tagOf, tags } from './tags.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of every operation. */
export function describeOperations(operations: readonly AnyOperation[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  const schemas: Record<string, Json> = { Problem: problem };
  for (const operation of operations) {
    for (const [index, route] of operation.faces.rest.entries()) {
      const [method = '', url = ''] = route.split(' ');
      const path = url.replaceAll(/:(\w+)/g, '{$1}');
      (paths[path] ??= {})[method.toLowerCase()] = describeRoute(operation, method, path, index, schemas);
    }
  }
  const csv = describeCsvImport((answer) => describeSchema(answer, 'output', schemas, 'import_csv'));
  paths['/v1/imports/csv'] = { post: csv };
  const files = describeExports((input, owner) => describeSchema(input, 'input', schemas, owner));
  Object.assign(paths, files);
  for (const [name, shape] of Object.entries(schemas)) describeFields(shape, name);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rostrum',
      version: '1.0.0',
      description:
        'Audience messaging: people, webinars, broadcasts and workflows of an organization. Errors are problem ' +
        'objects, each with a page under `/docs/errors/`. Times are ISO 8601 with an offset. Within `/v1`, changes ' +
        'only add.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'This installation.' }],
    tags,
    security: [{ apiKey: [], authType: [] }],
    paths,
    components: {
      schemas,
      responses: refusalResponses,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The API key, bare.' },
        authType: { type: 'apiKey', in: 'header', name: 'Auth-Type', description: 'Always `api`.' },
      },
    },
  };
}

function describeRoute(
  operation: AnyOperation,
  method: string,
  path: string,
  index: number,
  schemas: Record<string, Json>,
): Json {
  const input = describeSchema(operation.input as z.ZodObject, 'input', schemas, operation.name) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const output = describeSchema(operation.output as z.ZodObject, 'output', schemas, operation.name);
  const fields = Object.entries(input.properties ?? {});
  const inPath = new Set(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name));
  const inQuery = method === 'GET' || method === 'DELETE';
  const required = new Set(input.required ?? []);
  const rest = fields.filter(([name]) => !inPath.has(name));
  const hasBody = !inQuery && rest.length > 0;
  const example = exampleOf(operation.name);
  return {
    operationId: index === 0 ? operation.name : `${operation.name}_${method.toLowerCase()}`,
    summary: operation.title,
    description: `${operation.summary}\n\n${needs(operation)}`,
    tags: [tagOf(path)],
    ...(operation.permission && { 'x-permission': operation.permission }),
    parameters: [
      ...fields
        .filter(([name]) => inPath.has(name))
        .map(([name, schema]) => ({ ...parameter(operation, name, schema), in: 'path', required: true })),
      ...(inQuery
        ? rest.map(([name, schema]) => ({
            ...parameter(operation, name, schema),
            in: 'query',
            required: required.has(name),
          }))
        : []),
      ...(method === 'GET' ? [] : [idempotencyHeader]),
    ],
    ...(hasBody && { requestBody: jsonBody(rest, required, example?.input) }),
    responses: {
      ...Object.fromEntries(
        successes(operation).map((status) => [
          status,
          {
            description: 'Done.',
            content: { 'application/json': { schema: output, ...(example && { example: example.output }) } },
          },
        ]),
      ),
      ...refusalsOf(operation, hasBody),
    },
  };
}

const byPower: Partial<Record<Power, string>> = {
  manage_access: ' and a session of an owner or an admin. No key and no tool has that',
  leave: 'a session',
};

const needs = ({ permission, power }: AnyOperation): string => {
  const beside = (power && byPower[power]) ?? '';
  if (permission !== undefined) return `Needs the permission \`${permission}\`${beside}.`;
  return beside === '' ? 'Open to every credential.' : `Needs ${beside}.`;
};

/**
 * A schema for this document: named shapes are written once, under components, and referred to. Outputs are left open,
 * because fields may be added within /v1 and a client must not refuse an answer for that.
 */
function describeSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  shared: Record<string, Json>,
  owner: string,
): Json {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  for (const [name, shape] of Object.entries($defs)) {
    const described = referToShared(shape as Json);
    shared[name] ??= described;
    if (JSON.stringify(shared[name]) !== JSON.stringify(described)) {
      throw new Error(`two shapes are both called ${name}`);
    }
  }
  describeFields(rest, owner);
  return referToShared(rest);
}

/** A parameter's words stand beside its schema, where readers look for them; and an example of its value. */
function parameter({ name: owner }: AnyOperation, name: string, { description, ...schema }: Json): Json {
  const example = exampleOf(owner)?.input[name];
  return {
    name,
    description: description ?? wordsFor(owner, name),
    schema,
    ...(example !== undefined && { example }),
  };
}

const referToShared = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;

const idempotencyHeader: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes a repeated request answer as the first did, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const jsonBody = (
  fields: [string, Json][],
  required: ReadonlySet<string>,
  input: Readonly<Record<string, unknown>> | undefined,
): Json => ({
  required: fields.some(([name]) => required.has(name)),
  content: {
    'application/json': {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(fields),
        required: fields.map(([name]) => name).filter((name) => required.has(name)),
      },
      ...(input && {
        example: Object.fromEntries(fields.flatMap(([name]) => (name in input ? [[name, input[name]]] : []))),
      }),
    },
  },
});

/** 201 when it creates a record; both when its answer decides. */
const successes = ({ creates }: AnyOperation): string[] =>
  creates === undefined ? ['200'] : creates === true ? ['201'] : ['200', '201'];
