import { expect } from 'vitest';
import { failureCodes, type FailureCode } from '../../src/kernel/failure-codes.ts';
import type { RestAnswer } from './test-org.ts';

/** An answer as `problem` describes it. The errors are looked into by whoever expects them; here only their shape is. */
export function asProblem({ status, headers, body }: RestAnswer): unknown {
  const { request_id, errors = [], ...rest } = body;
  return {
    ...rest,
    httpStatus: status,
    contentType: headers.get('content-type')?.split(';')[0],
    hasRequestId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(request_id),
    sameRequestId: request_id === headers.get('request-id'),
    strangeErrors: errors.filter((error: object) => !isFieldError(error)),
  };
}

/** The one shape every refusal has: `expect(asProblem(answer)).toEqual(problem(404, 'not_found', '/v1/people/…'))`. */
export const problem = (status: number, code: FailureCode, path: string): unknown => ({
  type: `/docs/errors/${code}`,
  title: failureCodes[code].title,
  status,
  code,
  detail: expect.stringMatching(/^\S.*\S$/),
  instance: path,
  httpStatus: status,
  contentType: 'application/json',
  hasRequestId: true,
  sameRequestId: true,
  strangeErrors: [],
});

function isFieldError(error: object): boolean {
  const { pointer, code, detail, allowed = [], ...more } = error as Record<string, unknown>;
  return (
    /^(\/.*)?$/.test(String(pointer)) &&
    /^[a-z_]+$/.test(String(code)) &&
    typeof detail === 'string' &&
    Array.isArray(allowed) &&
    Object.keys(more).length === 0
  );
}
