import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/main/free-ports.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import { Part, until } from '../faults/part.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { newSendingOrg } from '../support/reader-rows.ts';
import { TestOrg } from '../support/test-org.ts';
import { createWebinar } from '../support/webinar.ts';
import { emailNode, inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import { startSpanReceiver, type ReceivedSpan, type SpanReceiver } from './span-receiver.ts';

/** Its own API traces nothing; the processes below do. */
const world = useWorld();
const stops: (() => Promise<unknown>)[] = [];
let receiver: SpanReceiver;
let mail: MailServer;
let tracedUrl: string;
let operatorUrl: string;

beforeAll(async () => {
  receiver = await startSpanReceiver();
  mail = await startMailServer();
  const restate = await startLocalRestate();
  stops.push(
    () => receiver.close(),
    () => mail.close(),
    () => restate.remove(),
    () => restate.stop(),
  );
  const [api, handlers, operator] = [await freePort(), await freePort(), await freePort()];
  tracedUrl = `http://127.0.0.1:${api}`;
  operatorUrl = `http://127.0.0.1:${operator}`;
  const env = {
    DATABASE_URL: world().databaseUrl,
    ROSTRUM_SECRET: world().config.ROSTRUM_SECRET,
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEY: restate.identityKey,
    PORT: String(api),
    HANDLERS_PORT: String(handlers),
    SMTP_URL: mail.url,
    DNS_SERVERS: '127.0.0.1:9', // nobody answers there
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  };
  const parts = [
    new Part('handlers', { ...env, OPERATOR_PORT: String(operator - 1) }), // it takes the next one
    new Part('relay', env),
    new Part('api', env),
  ];
  for (const part of parts) {
    part.start();
    stops.push(() => part.kill('SIGTERM'));
  }
  await until(`${tracedUrl}/health`);
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

/** An organization with a workflow that writes to whoever registers, and what a registration says. */
async function arrange() {
  const own = await newSendingOrg(world());
  const welcome = await emailNode(world(), own, 'welcome');
  await liveWorkflow(own, inLine(onRegistration(), welcome));
  const { id: webinar_id } = await createWebinar(own);
  const email = `ada-${own.id}@example.com`;
  const registration = { webinar_id, user: { email, first_name: 'Lovelace' } };
  return { own, traced: new TestOrg(tracedUrl, own.id, own.keyId, own.secret), email, registration };
}

const arrived = async (email: string): Promise<void> => {
  const count = () => mail.mails.filter(({ to }) => to === email).length;
  await expect.poll(count, { timeout: 40_000 }).toBe(1);
};

const faces: Readonly<Record<string, (org: TestOrg, registration: object) => Promise<boolean>>> = {
  rest: async (org, registration) =>
    (await org.rest('POST /v1/webinars/register', registration)).status === 200,
  mcp: async (org, registration) => !(await org.tool('register_for_webinar', registration)).isError,
};

test.each(Object.entries(faces))(
  'over %s, one trace leads from a registration through outbox, relay and engine to the mail server',
  async (face, register) => {
    const { traced, email, registration } = await arrange();
    expect(await register(traced, registration)).toBe(true);
    await arrived(email);
    const ofCall = (): ReceivedSpan[] => {
      const call = named(receiver.spans, 'register_for_webinar').find(
        ({ fields }) => fields['org_id'] === traced.id,
      );
      return receiver.spans.filter(({ traceId }) => traceId === call?.traceId);
    };
    const wayOf = (): ReceivedSpan[] => {
      const spans = ofCall();
      const way: ReceivedSpan[] = [];
      for (let at = named(spans, 'hand over')[0]; at !== undefined;) {
        way.unshift(at);
        const { parentSpanId } = at;
        at = spans.find(({ spanId }) => spanId === parentSpanId);
      }
      return way;
    };
    // Each process sends its own, in its own time.
    await expect
      .poll(() => wayOf().map(({ service, name, kind }) => `${service} ${name} ${kind}`), { timeout: 20_000 })
      .toEqual([
        'rostrum-api register_for_webinar 2',
        'rostrum-relay relay WaitClock 4',
        'rostrum-handlers WaitClock 5',
        'rostrum-relay relay BroadcastRun 4',
        'rostrum-handlers BroadcastRun 5',
        'rostrum-handlers hand over 3',
      ]);
    expect(named(ofCall(), 'hand over')).toHaveLength(1);
    const way = wayOf();
    expect(way[0]).toMatchObject({ parentSpanId: undefined, isError: false, fields: { face } });
    expect(way.at(-1)?.fields).toEqual({ channel: 'email', messages: 1, sent: 1 });
    const starts = way.map(({ startMs }) => startMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(way.every(({ startMs, endMs }) => endMs >= startMs)).toBe(true);
    const told = receiver.bodies.join('');
    for (const secret of [email, 'Lovelace', 'About welcome', traced.secret, 'Hello'])
      expect(told).not.toContain(secret);
  },
);

test('a refused call ends its trace with the code of the refusal', async () => {
  const { traced } = await arrange();
  const nobody = '00000000-0000-7000-8000-000000000000';
  expect((await traced.rest(`GET /v1/people/${nobody}`)).status).toBe(404);
  const refused = () =>
    named(receiver.spans, 'get_person').find(({ fields }) => fields['org_id'] === traced.id);
  await expect.poll(refused).toMatchObject({ isError: true, fields: { 'error.type': 'not_found' } });
});

test('a call that is not traced is not traced further on either', async () => {
  const { own, email, registration } = await arrange();
  expect(await faces['rest']!(own, registration)).toBe(true);
  await arrived(email);
  const other = await arrange();
  expect(await faces['rest']!(other.traced, other.registration)).toBe(true);
  const orgs = () => receiver.spans.map(({ fields }) => fields['org_id']);
  await expect.poll(orgs, { timeout: 20_000 }).toContain(other.own.id); // so there was time
  expect(orgs()).not.toContain(own.id);
});

test('the handlers count what became of messages', async () => {
  const metrics = await (await fetch(`${operatorUrl}/metrics`)).text();
  const sent = /^rostrum_messages_total\{channel="email",state="sent"\} (\d+)$/m.exec(metrics)?.[1];
  expect(Number(sent)).toBeGreaterThanOrEqual(mail.mails.length - 1); // the last may not be recorded yet
  expect(mail.mails.length).toBeGreaterThanOrEqual(3);
});
