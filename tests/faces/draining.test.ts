import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** Otherwise the connection would be kept for a minute and more. */
const closesSoon = async (closing: Promise<unknown>): Promise<boolean> =>
  Promise.race([closing.then(() => true), pause(20_000, false)]);

const listen = async () => {
  const { config, database } = world();
  const app = await buildApi({ config, database, clock: systemClock, log: pino({ level: 'silent' }) });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, url };
};

test('a request that ends while the API drains is served, and its connection closed', async () => {
  const { app, url } = await listen();
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  await once(socket, 'connect');
  socket.write('GET /health HTTP/1.1\r\nHost: here\r\n'); // half a request
  await pause(100);
  const closing = app.close();
  await pause(100);
  socket.write('\r\n');
  await once(socket, 'close');
  await closing;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer.toLowerCase()).toContain('connection: close');
});

test('an answer that began before draining is sent whole, and its connection closed', async () => {
  const org = await world().newOrg();
  await world().admin.query(
    `insert into people (org_id, id, created_at, updated_at)
     select $1, gen_random_uuid(), now(), now() from generate_series(1, 3000)`,
    [org.id],
  );
  const { app, url } = await listen();
  const answer = await fetch(`${url}/v1/people/export`, { headers: org.credential });
  const closing = app.close();
  expect((await answer.text()).split('\n').length).toBeGreaterThan(3_000);
  expect(await closesSoon(closing)).toBe(true);
});

test('a connection over which nothing was asked does not hold the API', async () => {
  const { app, url } = await listen();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  expect(await closesSoon(app.close())).toBe(true);
});
