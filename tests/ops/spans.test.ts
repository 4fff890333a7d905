import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { inSpan, beginTrace, type Span, type Tracer } from '../../src/kernel/trace.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { readConfig } from '../../src/main/config.ts';
import { exportSpans } from '../../src/main/export-spans.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { startSpanReceiver } from './span-receiver.ts';

const world = useWorld();
const silent = pino({ level: 'silent' });
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const tracerInto = (spans: Span[], ratio = 1): Tracer => ({
  ratio,
  nowMs: () => performance.now(),
  take: (span) => spans.push(span),
});

/** What a call leaves in the outbox of an API that traces so. */
async function contextOf(tracer: Tracer | undefined): Promise<string | null> {
  const { config, database, admin } = world();
  const app = await buildApi({ config, database, clock: systemClock, log: silent, tracer });
  stops.push(() => app.close());
  const { id, keyId, secret } = await world().newOrg();
  const org = new TestOrg(await app.listen({ host: '127.0.0.1', port: 0 }), id, keyId, secret);
  await org.rest('POST /v1/property-configs', { key: 'vip', name: 'VIP', type: 'boolean' });
  await org.person({ email: 'ada@example.com', custom_properties: { vip: true } });
  const { rows } = await admin.query<{ traceparent: string | null }>(
    'select traceparent from outbox where org_id = $1',
    [id],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!.traceparent;
}

test('an outbox row has the context of the call that is traced', async () => {
  const spans: Span[] = [];
  const context = await contextOf(tracerInto(spans));
  const call = spans.find(({ name }) => name === 'identify_person');
  expect(context).toBe(`00-${call?.traceId}-${call?.id}-01`);
});

test('an outbox row has no context while nothing is traced, or this call is not', async () => {
  const spans: Span[] = [];
  expect(await contextOf(undefined)).toBeNull();
  expect(await contextOf(tracerInto(spans, 0))).toBeNull();
  expect(spans).toEqual([]);
});

test('so many calls are traced as the ratio says', async () => {
  const spans: Span[] = [];
  const tracer = tracerInto(spans, 0.25);
  const begun = { name: 'a call', kind: 'server', fields: {} } as const;
  for (let call = 0; call < 2_000; call++)
    await beginTrace(tracer, begun, () => inSpan({ ...begun, name: 'a part' }, async () => undefined));
  const calls = spans.filter(({ name }) => name === 'a call').length;
  expect(spans).toHaveLength(2 * calls);
  expect(calls).toBeGreaterThan(350);
  expect(calls).toBeLessThan(650);
});

const configOf = (env: Record<string, string>) =>
  readConfig({ ROSTRUM_SECRET: world().config.ROSTRUM_SECRET, ...env });

const aSpan: Span = {
  traceId: 'a'.repeat(32),
  id: 'b'.repeat(16),
  parentId: undefined,
  name: 'a call',
  kind: 'server',
  fields: {},
  startMs: 1_000,
  endMs: 2_000,
  error: undefined,
};

test('without an endpoint there is no tracer', async () => {
  expect(exportSpans(configOf({}), 'api', silent).tracer).toBeUndefined();
});

test('headers for the endpoint go along, and what is left goes when the process ends', async () => {
  const receiver = await startSpanReceiver();
  stops.push(() => receiver.close());
  const { tracer, close } = exportSpans(
    configOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key=,x-tenant=us',
    }),
    'api',
    silent,
  );
  tracer?.take(aSpan);
  await close();
  expect(receiver.headers[0]).toMatchObject({ authorization: 'Bearer key=', 'x-tenant': 'us' });
  expect(receiver.spans).toMatchObject([{ service: 'rostrum-api', startMs: 1_000, endMs: 2_000 }]);
});

test('a collector that is away costs a bounded number of spans and a log line, and no call', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const away = configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  const { tracer, close } = exportSpans(away, 'api', log);
  for (let span = 0; span < 5_000; span++) tracer?.take(aSpan);
  await close();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: 'spans were not taken', spans: 5_000 },
  ]);
});

test('more spans than are kept are dropped and told', async () => {
  const receiver = await startSpanReceiver();
  stops.push(() => receiver.close());
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const { tracer, close } = exportSpans(configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }), 'api', log);
  for (let span = 0; span < 5_000; span++) tracer?.take(aSpan);
  await close();
  expect(receiver.spans).toHaveLength(4_096);
  expect(lines[0]).toContain('"spans":904');
});
