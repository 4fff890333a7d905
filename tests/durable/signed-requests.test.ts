import http2 from 'node:http2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectPlatforms } from '../../src/domain/webinars/platforms/registry.ts';
import { dnsLookUp } from '../../src/durable/dns-look-up.ts';
import { restateEngine } from '../../src/durable/engine.ts';
import { engineFence } from '../../src/durable/fence.ts';
import { release } from '../../src/durable/release.ts';
import { serveHandlers, type Handlers } from '../../src/durable/serve-handlers.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { useWorld } from '../support/world.ts';
import { always } from '../support/providers.ts';

const world = useWorld({ engine: true });
let handlers: Handlers | undefined;

beforeAll(async () => {
  handlers = await serveHandlers({
    database: world().database,
    host: '127.0.0.1',
    port: 0,
    identityKey: world().restate!.identityKey,
    lookUp: dnsLookUp(),
    keys: keyring(world().config),
    mail: mailSettings(world().config),
    providers: always(),
    fence: engineFence(restateEngine(world().config.RESTATE_INGRESS_URL)),
    connectors: connectPlatforms(world().config),
    lanesAtOnce: 2,
    clocksAtOnce: 1,
    importsAtOnce: 1,
    log: () => undefined,
  });
});
afterAll(() => handlers?.close());

/** Speaks to the handlers as an impostor on the network would. */
function ask(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const session = http2.connect(`http://127.0.0.1:${handlers!.port}`);
    session.on('error', reject);
    const stream = session.request({ ':path': path, ':method': 'POST', ...headers });
    stream.on('response', (answer) => {
      session.destroy();
      resolve(Number(answer[':status']));
    });
    stream.on('error', reject);
    stream.end();
  });
}

test('the handlers refuse a request that Restate did not sign', async () => {
  expect(await ask(`/${release()}/invoke/PersonProperties/apply`)).toBe(401);
  expect(
    await ask(`/${release()}/discover`, { accept: 'application/vnd.restate.endpointmanifest.v1+json' }),
  ).toBe(401);
});

test('the handlers refuse a forged signature', async () => {
  const forged = { 'x-restate-signature-scheme': 'v1', 'x-restate-jwt-v1': 'e30.e30.AAAA' };
  expect(await ask(`/${release()}/invoke/PersonProperties/apply`, forged)).toBe(401);
});

test('the handlers turn away what another release began', async () => {
  expect(await ask('/0.0.9-00000000/invoke/PersonProperties/apply')).toBe(421);
  expect(await ask('/invoke/PersonProperties/apply')).toBe(421);
});

test('a signed request is served: what identify accepted is applied', async () => {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
  const person_id = await org.person({ email: 'a@example.com', custom_properties: { seats: '12' } });
  await expect
    .poll(async () => (await org.rest(`GET /v1/people/${person_id}/properties`)).body.properties)
    .toMatchObject([{ key: 'seats', value: 12 }]);
});
