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

/** A refusal of what was sent: the first thing that is wrong as a sentence, all of them in `errors`. */
export function invalidRequest(errors: readonly FieldError[]): Failure {
  const [first] = errors;
  if (first === undefined) return new Failure('invalid_request', 'The request is not valid.');
  const where = first.pointer === '' ? '' : `${first.pointer.slice(1)}: `;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  return new Failure('invalid_request', `${where}${first.detail}${more}`, { errors });
}
