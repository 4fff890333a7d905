import { z } from 'zod';
import { failureCodes } from '../../kernel/failure-codes.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { describeCsvImport } from './describe-csv-import.ts';
import { problemContent } from './problem-content.ts';

type Json = Record<string, unknown>;

const problem: Json = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'request_id'],
  properties: {
    type: { type: 'string', description: 'The page that explains this error.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(failureCodes) },
    detail: { type: 'string', description: 'What is wrong and what to do next.' },
    instance: { type: 'string' },
    request_id: { type: 'string' },
    merged_into: { type: 'string', description: 'Where a merged person went.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'A JSON pointer into the request.' },
          code: { type: 'string' },
          detail: { type: 'string' },
          allowed: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};

/** The OpenAPI 3.1 document of every operation. */
export function describeOperations(operations: readonly AnyOperation[]): Json {
  const paths: Record<string, Json> = {};
  const schemas: Record<string, Json> = { Problem: problem };
  for (const operation of operations) {
    for (const [index, route] of operation.faces.rest.entries()) {
      const [method = '', url = ''] = route.split(' ');
      const path = url.replaceAll(/:(\w+)/g, '{$1}');
      (paths[path] ??= {})[method.toLowerCase()] = describeRoute(operation, method, path, index, schemas);
    }
  }
  const csv = describeCsvImport((answer) => describeSchema(answer, 'output', schemas));
  paths['/v1/imports/csv'] = { post: csv };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rostrum',
      version: '1.0.0',
      description: 'Audience messaging: the people of an organization.',
    },
    security: [{ apiKey: [], authType: [] }],
    paths,
    components: {
      schemas,
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
  const input = describeSchema(operation.input as z.ZodObject, 'input', schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const output = describeSchema(operation.output as z.ZodObject, 'output', schemas);
  const fields = Object.entries(input.properties ?? {});
  const inPath = new Set(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name));
  const inQuery = method === 'GET' || method === 'DELETE';
  const required = new Set(input.required ?? []);
  const rest = fields.filter(([name]) => !inPath.has(name));
  return {
    operationId: index === 0 ? operation.name : `${operation.name}_${method.toLowerCase()}`,
    summary: operation.title,
    description: `${operation.summary}\n\nNeeds the permission \`${operation.permission}\`.`,
    tags: [path.split('/')[2] ?? 'other'],
    'x-permission': operation.permission,
    parameters: [
      ...fields
        .filter(([name]) => inPath.has(name))
        .map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
      ...(inQuery
        ? rest.map(([name, schema]) => ({ name, in: 'query', required: required.has(name), schema }))
        : []),
      ...(method === 'GET' ? [] : [idempotencyHeader]),
    ],
    ...(!inQuery && rest.length > 0 && { requestBody: jsonBody(rest, required) }),
    responses: {
      ...Object.fromEntries(
        successes(operation).map((status) => [
          status,
          { description: 'Done.', content: { 'application/json': { schema: output } } },
        ]),
      ),
      default: {
        description: 'Refused.',
        content: problemContent,
      },
    },
  };
}

/**
 * A schema for this document: shapes with a name are told once for all, under components, where references find them.
 * Outputs are left open, because fields may be added within /v1 and a client must not refuse an answer for that.
 */
function describeSchema(schema: z.ZodType, io: 'input' | 'output', shared: Record<string, Json>): Json {
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
  return referToShared(rest);
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

const jsonBody = (fields: [string, Json][], required: ReadonlySet<string>): Json => ({
  required: fields.some(([name]) => required.has(name)),
  content: {
    'application/json': {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(fields),
        required: fields.map(([name]) => name).filter((name) => required.has(name)),
      },
    },
  },
});

/** 201 when it makes a thing; both when its answer tells. */
const successes = ({ creates }: AnyOperation): string[] =>
  creates === undefined ? ['200'] : creates === true ? ['201'] : ['200', '201'];
