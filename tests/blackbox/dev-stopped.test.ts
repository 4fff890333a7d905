import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { isLong } from '../support/volume.ts';

const database = `${inject('templateDatabase').replace('_template', '')}_stop_${randomBytes(4).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'rostrum-stopped-'));

afterAll(async () => {
  rmSync(folder, { recursive: true });
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  await client.query(`drop database if exists ${database} with (force)`);
  await client.end();
});

/** Restate's folder is in ours, and so its command line names it. */
function restates(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes('restate-server') && line.includes(folder));
}

interface Story {
  readonly when: string;
  readonly until: (said: () => string) => boolean;
  readonly presses: readonly number[];
}

const stories: readonly Story[] = [
  { when: 'while Restate is starting', until: () => restates().length > 0, presses: [0] },
  { when: 'while Restate is starting, often', until: () => restates().length > 0, presses: [0, 30, 600, 20] },
  { when: 'when it is up', until: (said) => said().includes('"ready":true'), presses: [0] },
  {
    when: 'when it is up, often and quickly',
    until: (said) => said().includes('"ready":true'),
    presses: [0, 10, 10, 600, 10],
  },
];

// Who presses it often presses it once first: the gate starts the service half as often.
test.each<Story>(stories.filter(({ presses }) => isLong || presses.length > 1))(
  'Ctrl-C $when leaves no Restate behind',
  async ({ until, presses }) => {
    const url = Object.assign(new URL(inject('serverUrl')), { pathname: `/${database}` });
    // A group of its own, as a terminal gives it: Ctrl-C reaches npm, the shell and the service.
    const child = spawn('npm', ['run', '--silent', 'dev', '--', '--json', '--port', '0'], {
      env: { ...process.env, DATABASE_URL: url.href, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => until(() => said), { timeout: 120_000, interval: 20 }).toBe(true);
    for (const wait of presses) {
      await pause(wait);
      try {
        process.kill(-child.pid!, 'SIGINT');
      } catch {
        // They are gone already.
      }
    }
    await ended;
    await expect.poll(restates).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith('rostrum-restate-'))).toEqual([]);
  },
  180_000,
);
