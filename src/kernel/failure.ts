import { failureCodes, type FailureCode, type FailureKind } from './failure-codes.ts';

/** One field that is wrong, as a JSON pointer into what was sent. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly allowed?: readonly string[];
}

export interface FailureExtras {
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** Where a merged person went. */
  readonly merged_into?: string;
}

/** The one way to refuse: a known code and a sentence that tells the caller what to do next. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly extras: FailureExtras;

  constructor(code: FailureCode, detail: string, extras: FailureExtras = {}) {
    super(detail);
    this.name = 'Failure';
    this.code = code;
    this.extras = extras;
  }

  get kind(): FailureKind {
    return failureCodes[this.code].kind;
  }
}

const mostSaid = 20;

/** Every error with its place, so that the sentences are enough without the pointers. */
export function sayErrors(errors: readonly FieldError[]): string {
  const said = errors
    .slice(0, mostSaid)
    .map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer.slice(1)}: ${detail}`));
  return [...said, ...(errors.length > mostSaid ? [`And ${errors.length - mostSaid} more.`] : [])].join(' ');
}

/** A refusal of what was sent: all that is wrong as sentences, and one by one in `errors`. */
export const invalidRequest = (errors: readonly FieldError[]): Failure =>
  new Failure('invalid_request', sayErrors(errors) || 'The request is not valid.', { errors });
