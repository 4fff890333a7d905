import { failureCodes } from '../../kernel/failure-codes.ts';
import type { AnyOperation } from '../../kernel/operation.ts';

type Json = Record<string, unknown>;

export const problem: Json = {
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

const content = { schema: { $ref: '#/components/schemas/Problem' } };

/** The media types of a refusal: JSON, or that of RFC 9457 where `Accept` names it. */
const problemContent = { 'application/json': content, 'application/problem+json': content };

/** Every way an operation refuses, by status. */
const meanings = {
  400: ['Invalid', 'The request is not valid. `errors` says where and what would be.'],
  401: ['Unauthenticated', 'No valid credential was sent.'],
  403: ['Forbidden', 'The credential lacks a permission.'],
  404: ['NotFound', 'There is no such thing in this organization.'],
  409: ['Conflict', 'It does not fit what is there: `code` says what, `detail` what to do.'],
  413: ['TooLarge', 'The body is too large.'],
  415: ['Unsupported', 'The body is of another type than this takes.'],
  429: ['RateLimited', 'Too many calls in a minute. `Retry-After` says when to go on.'],
  default: ['Refused', 'Refused otherwise; 5xx are worth trying again.'],
} as const;

export const refusalResponses: Record<string, Json> = Object.fromEntries(
  Object.values(meanings).map(([name, description]) => [name, { description, content: problemContent }]),
);

type Status = keyof typeof meanings;

const referTo = (statuses: readonly Status[]): Json =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${meanings[status][0]}` }]),
  );

/** The refusals that a route can answer with. */
export function refusalsOf({ effect, input }: AnyOperation, hasBody: boolean): Json {
  const fields = Object.keys(input.shape as object);
  const names = fields.some((name) => name.endsWith('_id')) || fields.includes('key');
  const found: Status[] = names ? [404] : [];
  const conflict: Status[] = effect === 'read' ? [] : [409];
  const body: Status[] = hasBody ? [413, 415] : [];
  return referTo([400, 401, 403, ...found, ...conflict, ...body, 429, 'default']);
}

export const allRefusals: Json = referTo([400, 401, 403, 404, 409, 413, 415, 429, 'default']);
