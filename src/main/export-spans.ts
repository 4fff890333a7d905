import type { Logger } from 'pino';
import type { Span, SpanFields, Tracer } from '../kernel/trace.ts';
import type { Config } from './config.ts';

const everyMs = 1_000;
const patienceMs = 10_000;
/** While nobody takes them; newer ones are dropped. */
const mostKept = 4_096;

// By the numbers of the OTLP protocol.
const kinds = { server: 2, client: 3, producer: 4, consumer: 5 } as const;
const failed = 2;

export interface SpanExporter {
  /** Undefined: nothing is traced. */
  readonly tracer: Tracer | undefined;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

/** Sends spans to OTEL_EXPORTER_OTLP_ENDPOINT, by OTLP over HTTP in JSON, once a second. */
export function exportSpans(config: Config, part: string, log: Logger): SpanExporter {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return { tracer: undefined, close: async () => undefined };
  const resource = { attributes: attributesOf({ 'service.name': `rostrum-${part}` }) };
  const headers = { ...config.OTEL_EXPORTER_OTLP_HEADERS, 'content-type': 'application/json' };
  let kept: Span[] = [];
  let dropped = 0;

  const send = async (): Promise<void> => {
    const spans = kept.map(toWire);
    const lost = dropped;
    [kept, dropped] = [[], 0];
    if (spans.length === 0) return;
    const scopeSpans = [{ scope: { name: 'rostrum' }, spans }];
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
      signal: AbortSignal.timeout(patienceMs),
    }).catch(() => undefined);
    await response?.body?.cancel();
    const untaken = response?.ok === true ? lost : lost + spans.length;
    if (untaken > 0) log.warn({ spans: untaken, status: response?.status }, 'spans were not taken');
  };
  let sending = Promise.resolve();
  const timer = setInterval(() => void (sending = sending.then(send)), everyMs).unref();

  return {
    tracer: {
      ratio: config.OTEL_TRACES_SAMPLER_ARG,
      nowMs: () => performance.timeOrigin + performance.now(),
      take: (span) => {
        if (kept.length < mostKept) kept.push(span);
        else dropped += 1;
      },
    },
    close: async () => {
      clearInterval(timer);
      await sending;
      await send();
    },
  };
}

const toWire = ({ traceId, id, parentId, name, kind, fields, startMs, endMs, error }: Span) => ({
  traceId,
  spanId: id,
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(startMs),
  endTimeUnixNano: nanoseconds(endMs),
  attributes: attributesOf(error === undefined ? fields : { ...fields, 'error.type': error }),
  ...(error !== undefined && { status: { code: failed } }),
});

const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;

const attributesOf = (fields: SpanFields) =>
  Object.entries(fields).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
