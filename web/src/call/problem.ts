import type { Problem as Body } from '../../../src/catalogue/problem.ts';

type Told = Pick<Body, 'status' | 'detail' | 'request_id'> &
  Partial<Pick<Body, 'errors' | 'merged_into'>> & { readonly code: Body['code'] | 'unreachable' };

/** What the service refused, in its own words. */
export class Problem extends Error {
  readonly status: number;
  readonly code: Told['code'];
  readonly requestId: string;
  readonly errors: NonNullable<Told['errors']>;
  readonly mergedInto: string | undefined;

  constructor(told: Told) {
    super(told.detail);
    this.status = told.status;
    this.code = told.code;
    this.requestId = told.request_id;
    this.errors = told.errors ?? [];
    this.mergedInto = told.merged_into;
  }

  /** What is wrong with one field, by its pointer or that of anything inside it. */
  at(pointer: string): string | undefined {
    return this.errors.find((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`))
      ?.detail;
  }

  /** Whether every complaint has a field of the form to stand at; else the form says it as a whole. */
  isAllAt(pointers: readonly string[]): boolean {
    return (
      this.errors.length > 0 &&
      this.errors.every(({ pointer }) => pointers.some((p) => pointer === p || pointer.startsWith(`${p}/`)))
    );
  }
}

export const unreachable = (): Problem =>
  new Problem({
    status: 0,
    code: 'unreachable',
    detail: 'Rostrum cannot be reached. What you entered is still here; try again when the network is back.',
    request_id: '',
  });

export async function readProblem(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => undefined)) as Told | undefined;
  if (body?.detail !== undefined) return new Problem(body);
  const request_id = response.headers.get('Request-Id') ?? '';
  return new Problem({
    status: response.status,
    code: 'internal',
    detail: 'The request failed on our side.',
    request_id,
  });
}
