import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('a request that ends while the API drains is served, and its connection closed', async () => {
  const { config, database } = world();
  const app = await buildApi({ config, database, clock: systemClock, log: pino({ level: 'silent' }) });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
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
