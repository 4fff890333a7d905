import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Failure } from '../../kernel/failure.ts';
import type { AnyOperation } from '../../kernel/operation.ts';

type QueryKind = 'number' | 'boolean' | 'text';

/** How a query string's words are read for one operation. A body is never converted: "42" there is text. */
export function queryReader(
  operation: AnyOperation,
): (query: Record<string, unknown>) => Record<string, unknown> {
  const kinds = new Map(
    Object.entries((operation.input as z.ZodObject).shape).map(([name, schema]) => [
      name,
      kindOf(schema as z.ZodType),
    ]),
  );
  return (query) =>
    Object.fromEntries(Object.entries(query).map(([name, word]) => [name, readWord(word, kinds.get(name))]));
}

function kindOf(schema: z.ZodType): QueryKind {
  const { type, innerType } = schema.def as { type: string; innerType?: z.ZodType };
  if (innerType !== undefined) return kindOf(innerType);
  return type === 'number' || type === 'boolean' ? type : 'text';
}

function readWord(word: unknown, kind: QueryKind | undefined): unknown {
  if (typeof word !== 'string') return word;
  if (kind === 'number' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return Number(word);
  if (kind === 'boolean' && (word === 'true' || word === 'false')) return word === 'true';
  return word;
}

/** Path, query and body as one input. The path decides; a body that names another record than the path is an error. */
export function readInput(
  request: FastifyRequest,
  readQuery: (query: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> {
  const body = readBody(request.body);
  const params = request.params as Record<string, string>;
  for (const [name, value] of Object.entries(params)) {
    if (Object.hasOwn(body, name) && body[name] !== value) {
      throw new Failure('invalid_request', `${name} in the body differs from the one in the path.`, {
        errors: [
          { pointer: `/${name}`, code: 'differs_from_path', detail: 'Leave it out, or send the same.' },
        ],
      });
    }
  }
  return { ...readQuery(request.query as Record<string, unknown>), ...body, ...params };
}

function readBody(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Failure('invalid_request', 'The body must be a JSON object.');
  }
  return body as Record<string, unknown>;
}
