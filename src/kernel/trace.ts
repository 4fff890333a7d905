import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Ids, counts and codes; never names, addresses or bodies. */
export type SpanFields = Readonly<Record<string, string | number>>;

export interface Span {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer';
  readonly fields: SpanFields;
  readonly startMs: number;
  readonly endMs: number;
  /** The code or kind of the error it ended with. */
  readonly error: string | undefined;
}

export interface Tracer {
  /** The share of calls that are traced, 0 to 1. */
  readonly ratio: number;
  readonly nowMs: () => number;
  /** Hears of every span when it has ended. */
  readonly take: (span: Span) => void;
}

export type Begun = Pick<Span, 'name' | 'kind' | 'fields'>;
/** `tell` adds fields that are known only at the end. */
type Act<T> = (tell: (fields: SpanFields) => void) => Promise<T>;
type Place = Pick<Span, 'traceId' | 'id'> & { readonly tracer: Tracer };

/** Holds nothing unless something is traced, so that nothing else pays for it. */
const current = new AsyncLocalStorage<Place>();
const untold = (): void => undefined;
const sampled = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;

/** Begins a trace, for as many of the calls as are to be traced. */
export const beginTrace = <T>(tracer: Tracer | undefined, begun: Begun, act: Act<T>): Promise<T> =>
  tracer === undefined || Math.random() >= tracer.ratio
    ? act(untold)
    : run({ tracer, traceId: randomBytes(16).toString('hex') }, begun, act);

/** Goes on with a trace that came with a message; without one nothing is traced. */
export function continueTrace<T>(
  tracer: Tracer | undefined,
  from: string | null | undefined,
  begun: Begun,
  act: Act<T>,
): Promise<T> {
  const [, traceId, parentId] = sampled.exec(from ?? '') ?? [];
  return tracer === undefined || traceId === undefined
    ? act(untold)
    : run({ tracer, traceId }, begun, act, parentId);
}

/** A part of whatever is being traced. */
export function inSpan<T>(begun: Begun, act: Act<T>): Promise<T> {
  const within = current.getStore();
  return within === undefined ? act(untold) : run(within, begun, act, within.id);
}

/** Where we are, in the words of W3C Trace Context; undefined when nothing is traced. */
export function traceparent(): string | undefined {
  const within = current.getStore();
  return within && `00-${within.traceId}-${within.id}-01`;
}

async function run<T>(
  { tracer, traceId }: Omit<Place, 'id'>,
  begun: Begun,
  act: Act<T>,
  parentId?: string,
): Promise<T> {
  const id = randomBytes(8).toString('hex');
  const startMs = tracer.nowMs();
  let { fields } = begun;
  let error: string | undefined;
  try {
    return await current.run({ tracer, traceId, id }, () => act((more) => (fields = { ...fields, ...more })));
  } catch (thrown) {
    const { code, name } = thrown as { code?: string | number; name?: string };
    error = String(code ?? name);
    throw thrown;
  } finally {
    tracer.take({ ...begun, traceId, id, parentId, fields, startMs, endMs: tracer.nowMs(), error });
  }
}
