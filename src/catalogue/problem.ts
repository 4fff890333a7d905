import { Failure, type FieldError } from '../kernel/failure.ts';
import { meaningOf, type FailureCode, type FailureKind } from '../kernel/failure-codes.ts';

/** RFC 9457, the one shape of every refusal on every face. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: FailureCode;
  readonly detail: string;
  readonly instance: string;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
  readonly merged_into?: string;
}

const statusOf: Readonly<Record<FailureKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

export function toProblem(failure: Failure, instance: string, requestId: string): Problem {
  const { title, kind } = meaningOf(failure.code);
  const { errors, merged_into } = failure.extras;
  return {
    type: `/docs/errors/${failure.code}`,
    title,
    status: statusOf[kind],
    code: failure.code,
    detail: failure.message,
    instance,
    request_id: requestId,
    ...(errors !== undefined && { errors }),
    ...(merged_into !== undefined && { merged_into }),
  };
}

/** What PostgreSQL and the network say when the database is away, full or too slow, rather than asked something wrong. */
const outages = /^(08...|53...|57014|57P0[1-5]|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/;
const outageMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

/** Any error as a failure; an unknown one becomes `internal` and reveals nothing about itself. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (outages.test(code) || outageMessages.test(message)) {
    return new Failure('unavailable', 'The database cannot be reached right now. Try again shortly.', {
      retryAfterSeconds: 5,
    });
  }
  return new Failure('internal', 'The request failed on our side; nothing was written.');
}

/** JSON, as for every answer, or the media type of RFC 9457 for a client that accepts it. */
export const problemType = (accept = ''): string =>
  /application\/problem\+json/i.test(accept) ? 'application/problem+json' : 'application/json; charset=utf-8';
