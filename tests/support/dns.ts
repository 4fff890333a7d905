import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../src/main/free-ports.ts';

/** A record as somebody publishes it. A text longer than 255 is cut into chunks, as DNS asks for. */
export interface Published {
  readonly host: string;
  readonly type: 'TXT' | 'CNAME' | 'A' | 'AAAA';
  readonly value: string;
}

/**
 * The name servers of a small world. Customers have names in acme.test and parent.test, and mail.test is ours; names in
 * failing.test and silent.test cannot be looked up.
 */
export interface Dns {
  /** Of the resolver, as the setting DNS_SERVERS takes it. */
  readonly servers: string;
  /** Of the authoritative server, which knows its zones and refuses to speak of others. */
  readonly authoritative: string;
  publish(...records: readonly Published[]): Promise<void>;
  /** Removes everything at a host. */
  withdraw(host: string): Promise<void>;
  stopResolver(): Promise<void>;
  startResolver(): Promise<void>;
  stop(): Promise<void>;
}

const zones = ['acme.test', 'parent.test', 'mail.test'];
/** Said to be where it is not known, so that the resolver fails (SERVFAIL). */
const failingZone = 'failing.test';
/** Said to be where nobody answers. */
const silentZone = 'silent.test';
// Debian installs servers where only root looks.
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

export async function startDns(): Promise<Dns> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-dns-'));
  const [knot, unbound, nobody] = [await freePort(), await freePort(), await freePort()];
  for (const inside of ['zones', 'knot']) mkdirSync(join(folder, inside));
  for (const zone of zones) writeFileSync(join(folder, 'zones', `${zone}.zone`), zoneFile(zone));
  writeFileSync(join(folder, 'knot.conf'), knotConfiguration(folder, knot));
  writeFileSync(join(folder, 'unbound.conf'), unboundConfiguration(folder, unbound, { knot, nobody }));
  const authoritative = new Server('knotd', ['-c', join(folder, 'knot.conf')], knot);
  const resolver = new Server('unbound', ['-d', '-c', join(folder, 'unbound.conf')], unbound);
  const update = (zone: string, lines: readonly string[]): Promise<void> =>
    run('knsupdate', [`server 127.0.0.1 ${knot}`, `zone ${zone}`, ...lines, 'send', ''].join('\n'));
  await authoritative.start();
  await resolver.start();
  return {
    servers: `127.0.0.1:${unbound}`,
    authoritative: `127.0.0.1:${knot}`,
    publish: async (...records) => {
      for (const { host, type, value } of records) {
        await update(zoneOf(host), [`update add ${host}. 1 ${type} ${inZone(type, value)}`]);
      }
    },
    withdraw: (host) => update(zoneOf(host), [`update delete ${host}.`]),
    stopResolver: () => resolver.stop(),
    startResolver: () => resolver.start(),
    stop: async () => {
      await Promise.all([authoritative.stop(), resolver.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const zoneOf = (host: string): string => zones.find((zone) => host.endsWith(`.${zone}`)) ?? host;

const inZone = (type: Published['type'], value: string): string => {
  if (type === 'CNAME') return `${value}.`;
  if (type !== 'TXT') return value;
  return (value.match(/[^]{1,255}/g) ?? [''])
    .map((chunk) => `"${chunk.replaceAll(/["\\]/g, '\\$&')}"`)
    .join(' ');
};

/** One of the two servers, up when it answers. */
class Server {
  readonly #program: string;
  readonly #words: readonly string[];
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(program: string, words: readonly string[], port: number) {
    this.#program = program;
    this.#words = words;
    this.#port = port;
  }

  async start(): Promise<void> {
    const child = spawn(this.#program, this.#words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    child.on('error', (error) => (said += error.message));
    process.once('exit', () => child.kill('SIGKILL'));
    this.#child = child;
    const probe = new Resolver({ timeout: 250, tries: 1 });
    probe.setServers([`127.0.0.1:${this.#port}`]);
    for (let attempt = 0; attempt < 600; attempt++) {
      if (await probe.resolveSoa(zones[0]!).catch(() => undefined)) return;
      if (child.exitCode !== null || child.pid === undefined) break;
      await pause(50);
    }
    child.kill('SIGKILL');
    throw new Error(`${this.#program} did not come up; is it installed (.ci/ensure-dns --install)? ${said}`);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL'); // it holds nothing worth a farewell
    await gone;
  }
}

const run = (program: string, input: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = execFile(program, { env }, (error, stdout, stderr) => {
      if (error === null && stderr === '') resolve();
      else reject(new Error(`${program}: ${stderr}${stdout}`, { cause: error }));
    });
    child.stdin?.end(input);
  });

const zoneFile = (zone: string): string => `$ORIGIN ${zone}.
$TTL 1
@ SOA ns hostmaster 1 3600 600 86400 1
@ NS ns
ns A 127.0.0.1
bounce MX 10 ns
`;

const knotConfiguration = (folder: string, port: number): string => `
server:
    rundir: "${folder}"
    listen: 127.0.0.1@${port}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
log:
  - target: stderr
    any: warning
database:
    storage: "${folder}/knot"
acl:
  - id: here
    address: 127.0.0.1
    action: update
template:
  - id: default
    storage: "${folder}/zones"
    file: "%s.zone"
    zonefile-load: whole
    zonefile-sync: -1
    journal-content: none
    acl: here
zone:
${zones.map((zone) => `  - domain: ${zone}`).join('\n')}
`;

// It remembers nothing, so that what is published is seen at once.
const unboundConfiguration = (
  folder: string,
  port: number,
  behind: { knot: number; nobody: number },
): string => `
server:
  interface: 127.0.0.1@${port}
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: "${folder}/unbound.pid"
  do-daemonize: no
  use-syslog: no
  verbosity: 0
  num-threads: 1
  do-ip6: no
  do-not-query-localhost: no
  module-config: "iterator"
  infra-host-ttl: 0
  local-zone: "test." nodefault
remote-control:
  control-enable: no
${[...zones, failingZone].map((zone) => stub(zone, behind.knot)).join('')}${stub(silentZone, behind.nobody)}`;

const stub = (zone: string, port: number): string =>
  `stub-zone:\n  name: "${zone}"\n  stub-addr: 127.0.0.1@${port}\n  stub-no-cache: yes\n`;
