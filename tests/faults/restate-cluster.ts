import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinary, waitUntilHealthy, writeIdentity } from '../../src/main/local-restate.ts';
import { freePorts } from '../../src/main/free-ports.ts';

export interface RestateCluster {
  /** Those of every node, parted by commas. */
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly identityKey: string;
  /** Ends one node as a crash would, for good. */
  killNode(node: number): Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Ports {
  readonly node: number;
  readonly ingress: number;
  readonly admin: number;
}

const nodes = 3;

/** Three Restate servers that keep everything twice, so that one of them may be lost. */
export async function startRestateCluster(): Promise<RestateCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-cluster-'));
  const identityKey = await writeIdentity(join(folder, 'identity.pem'));
  const free = await freePorts(nodes * 3);
  const ports = Array.from({ length: nodes }, (_, n): Ports => {
    const [node = 0, ingress = 0, admin = 0] = free.slice(n * 3);
    return { node, ingress, admin };
  });
  const binary = await findBinary();
  const children: ChildProcess[] = [];
  for (const n of ports.keys()) {
    const file = join(folder, `n${n + 1}.toml`);
    await writeFile(file, configuration(folder, n, ports));
    children.push(spawn(binary, ['--config-file', file], { stdio: 'ignore', detached: true }));
  }
  const urls = (kind: 'ingress' | 'admin') => ports.map((one) => `http://127.0.0.1:${one[kind]}`);
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => end(child)));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(
      children.map((child, n) =>
        waitUntilHealthy([`${urls('admin')[n]}/health`, `${urls('ingress')[n]}/restate/health`], child),
      ),
    );
    await untilJoined(urls('admin'));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ingressUrl: urls('ingress').join(','),
    adminUrl: urls('admin').join(','),
    identityKey,
    killNode: (node) => end(children[node]!),
    stop,
  };
}

/** Each is up; they are a cluster when all of them keep its metadata. */
async function untilJoined(adminUrls: readonly string[]): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const response = await fetch(`${adminUrls[0]}/cluster-health`);
    const health = (await response.json()) as { metadata_cluster_health?: { members: number[] } };
    if (health.metadata_cluster_health?.members.length === nodes) return;
    await pause(100);
  }
  throw new Error('the nodes did not become a cluster');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** Without snapshots the logs are never trimmed, which a short run does not notice. */
const configuration = (folder: string, n: number, ports: readonly Ports[]): string => `
cluster-name = "rostrum"
node-name = "n${n + 1}"
base-dir = "${folder}/n${n + 1}"
auto-provision = ${n === 0}
default-num-partitions = 6
default-replication = 2
listen-mode = "tcp"
bind-ip = "127.0.0.1"
bind-port = ${ports[n]!.node}
disable-telemetry = true
default-journal-retention = "1h"
rocksdb-total-memory-size = "256 MiB"
[metadata-client]
addresses = [${ports.map(({ node }) => `"http://127.0.0.1:${node}"`).join(', ')}]
[ingress]
bind-address = "127.0.0.1:${ports[n]!.ingress}"
[admin]
bind-address = "127.0.0.1:${ports[n]!.admin}"
disable-web-ui = true
[worker.invoker]
concurrent-invocations-limit = 32
request-identity-private-key-pem-file = "${folder}/identity.pem"
`;
