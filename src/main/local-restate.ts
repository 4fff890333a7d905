import { spawn } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { base58 } from './base58.ts';
import { freePorts } from './free-ports.ts';

export interface LocalRestate {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly identityKey: string;
  readonly pid: number;
  /** Ends it; `kill` as a crash would. Its folder stays until `remove`. */
  readonly stop: (how?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Starts it, also again on the same folder and ports, and waits until it answers. */
  readonly start: () => Promise<void>;
  /** Throws its whole state away, as a lost disk would. */
  readonly wipe: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/**
 * A Restate server of one's own, on free ports and a fresh folder: its state is only a promise to look at rows, so
 * nothing is lost by starting empty.
 */
export async function startLocalRestate(): Promise<LocalRestate> {
  const restate = await prepareLocalRestate();
  await restate.start();
  return restate;
}

/** The same before it starts: its addresses are known, so that others can start beside it. */
export async function prepareLocalRestate(): Promise<LocalRestate> {
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-restate-'));
  const [node, ingress, admin] = await freePorts(3);
  const identityKey = await writeIdentity(join(folder, 'identity.pem'));
  const configFile = join(folder, 'restate.toml');
  await writeFile(configFile, configuration(folder, { node: node!, ingress: ingress!, admin: admin! }));
  const binary = await findBinary();
  let child: ReturnType<typeof spawn> | undefined;
  // Ends the server with this process, however that ends, even while the server is starting.
  const endWithUs = (): void => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', endWithUs);

  const start = async (): Promise<void> => {
    // Its own process group: a Ctrl-C in the terminal must reach us first, so that we can drain.
    child = spawn(binary, ['--config-file', configFile], {
      stdio: 'ignore',
      detached: true,
      // As in compose.yaml: it gives freed memory back at once.
      env: { MALLOC_CONF: 'narenas:1,tcache:false,dirty_decay_ms:0,muzzy_decay_ms:0', ...process.env },
    });
    await waitUntilHealthy(
      [`http://127.0.0.1:${admin}/health`, `http://127.0.0.1:${ingress}/restate/health`],
      child,
    );
  };
  return {
    ingressUrl: `http://127.0.0.1:${ingress}`,
    adminUrl: `http://127.0.0.1:${admin}`,
    identityKey,
    get pid() {
      return child?.pid ?? 0;
    },
    start,
    stop: async (how = 'SIGTERM') => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child?.once('exit', resolve));
      child.kill(how);
      const slow = setTimeout(() => child?.kill('SIGKILL'), 5_000);
      await gone;
      clearTimeout(slow);
    },
    wipe: () => rm(join(folder, 'data'), { recursive: true, force: true }),
    remove: async () => {
      process.off('exit', endWithUs);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const configuration = (folder: string, port: { node: number; ingress: number; admin: number }): string => `
cluster-name = "rostrum"
node-name = "n1"
base-dir = "${folder}/data"
auto-provision = true
default-num-partitions = 4
listen-mode = "tcp"
bind-ip = "127.0.0.1"
bind-port = ${port.node}
disable-telemetry = true
default-journal-retention = "1h"
rocksdb-total-memory-size = "256 MiB"
[ingress]
bind-address = "127.0.0.1:${port.ingress}"
[admin]
bind-address = "127.0.0.1:${port.admin}"
disable-web-ui = true
[worker.invoker]
concurrent-invocations-limit = 32
request-identity-private-key-pem-file = "${folder}/identity.pem"
`;

/** A signing key for this server; returns the public half in the form the handlers take. */
export async function writeIdentity(path: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const spki = createPublicKey(createPrivateKey(await readFile(path))).export({
    type: 'spki',
    format: 'der',
  });
  return `publickeyv1_${base58(spki.subarray(-32))}`;
}

export async function findBinary(): Promise<string> {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(
    `@restatedev/restate-server-${process.platform}-${process.arch}/package.json`,
  );
  return join(dirname(manifest), 'bin', 'restate-server');
}

export async function waitUntilHealthy(
  urls: readonly string[],
  child: ReturnType<typeof spawn>,
): Promise<void> {
  const healthy = async (url: string) => (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  for (let attempt = 0; attempt < 1_200; attempt++) {
    if (child.exitCode !== null) throw new Error(`Restate ended with code ${child.exitCode} at start`);
    const answers = await Promise.all(urls.map((url) => healthy(url).catch(() => false)));
    if (answers.every(Boolean)) return;
    await pause(25);
  }
  throw new Error('Restate did not come up within 30 seconds');
}
