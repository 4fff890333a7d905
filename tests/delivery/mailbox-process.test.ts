import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { mail, newSent, stateOf } from './back-in.ts';
import { sampleOf } from './dsn-samples.ts';
import { shipped } from '../../benches/support/shipped.ts';

const world = useWorld();
const timeout = 120_000; // a process starts slowly on a busy machine

let running: ChildProcess | undefined;
afterEach(() => void running?.kill('SIGKILL'));

function serve(env: Record<string, string>) {
  const { databaseUrl, config } = world();
  const child = spawn(process.execPath, [shipped, 'serve', 'mailbox'], {
    env: {
      ...process.env,
      DATABASE_ALLOW_SUPERUSER: 'true',
      DATABASE_URL: databaseUrl,
      ROSTRUM_SECRET: config.ROSTRUM_SECRET,
      MAILBOX_PORT: '0',
      OPERATOR_PORT: '0',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running = child;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, ended, lines: createInterface({ input: child.stderr }) };
}

test('a process of its own takes bounces until it is told to stop', { timeout }, async () => {
  const { child, ended, lines } = serve({});
  let port = 0;
  for await (const line of lines) {
    port = JSON.parse(line).port ?? 0;
    if (port !== 0) break;
  }
  const sent = await newSent(world(), await world().newOrg());
  expect(await mail(port, sent.returnPath, sampleOf('postfix', sent))).toMatch(/^250 /);
  expect((await stateOf(world(), sent)).row.bounce_class).toBe('hard');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a certificate without its key is a mistake that is told', { timeout }, async () => {
  const { ended, lines } = serve({ MAILBOX_TLS_CERT_FILE: '/nowhere/cert.pem' });
  const told = [];
  for await (const line of lines) told.push(line);
  expect(told.join('\n')).toContain('MAILBOX_TLS_KEY_FILE');
  expect(await ended).toBe(2);
});
