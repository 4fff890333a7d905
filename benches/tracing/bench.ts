import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callsOn, toRest, type Measured } from '../people/calls.ts';
import { someIds } from '../people/some-ids.ts';
import { dropDatabase, seedDatabase, type BenchOrg } from '../support/bench-database.ts';
import { tell, type Size } from '../support/command.ts';
import { told, type Figure } from '../support/figure.ts';
import { load } from '../support/load.ts';
import { processorSeconds } from '../support/process-figures.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { shipped } from '../support/shipped.ts';

const people = 10_000;
const population = {
  name: 'rostrum_bench_tracing',
  measured: [{ people, properties: 5 }],
  others: { count: 0, people: 0, properties: 0 },
};
const rounds = { small: { count: 4, seconds: 0.5 }, full: { count: 9, seconds: 3 } };
const connections = 16;
/** How much of the calls each API traces. */
const shares = { off: undefined, all: '1', 'one in ten': '0.1' };

/** Calls on an API that traces all, some or none of them, in turns. Told, not judged: it is off unless it is asked for. */
export async function tracing(size: Size): Promise<Figure[]> {
  const database = await seedDatabase(population);
  const [org] = database.orgs as [BenchOrg];
  const collector = await startCollector();
  const servers = new Map<string, ServerProcess>();
  const figures: Figure[] = [];
  try {
    for (const [name, share] of Object.entries(shares))
      servers.set(name, await startTraced(database.url, collector.url, share));
    const ids = await someIds(database.url, org);
    const calls = callsOn({ people, ids, deepOffset: 0 }).filter(({ name }) => /^(get|identify)/.test(name));
    for (const call of calls) figures.push(...(await compare(call, org, servers, rounds[size])));
  } finally {
    for (const server of servers.values()) await server.stop();
    await collector.close();
    if (size === 'small') await dropDatabase(population);
  }
  return figures;
}

const startTraced = (url: string, collector: string, share: string | undefined): Promise<ServerProcess> =>
  startServer([shipped, 'serve', 'api'], {
    DATABASE_URL: url,
    ROSTRUM_SECRET: 'a secret for benches that guards nothing',
    RATE_READ_PER_MINUTE: '1000000000',
    RATE_WRITE_PER_MINUTE: '1000000000',
    ...(share !== undefined && {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_TRACES_SAMPLER_ARG: share,
    }),
  });

interface Taken {
  readonly throughput: number;
  /** Of the API, for one call. */
  readonly processorMs: number;
}

async function compare(
  call: Measured,
  { secret }: BenchOrg,
  servers: ReadonlyMap<string, ServerProcess>,
  { count, seconds }: { readonly count: number; readonly seconds: number },
): Promise<Figure[]> {
  tell(call.name);
  const taken = new Map([...servers.keys()].map((name): [string, Taken[]] => [name, []]));
  for (let round = -1; round < count; round++) {
    for (const [name, { url, child }] of servers) {
      const before = processorSeconds(child.pid ?? 0);
      const next = () => toRest(call, call.next(), secret);
      const { throughput } = await load({ url, next, connections, seconds });
      const spent = processorSeconds(child.pid ?? 0) - before;
      // The first round warms all.
      if (round >= 0)
        taken.get(name)!.push({ throughput, processorMs: (spent * 1_000) / (throughput * seconds) });
    }
  }
  const middle = (name: string, of: (one: Taken) => number): number =>
    taken
      .get(name)!
      .map(of)
      .toSorted((a, b) => a - b)[Math.floor(count / 2)]!;
  return [...servers.keys()]
    .filter((name) => name !== 'off')
    .flatMap((name) =>
      (['throughput', 'processorMs'] as const).map((what) =>
        told(
          `${call.name}, ${name} traced: ${what === 'throughput' ? 'calls a second' : 'processor ms a call'}`,
          middle(name, (one) => one[what]),
          middle('off', (one) => one[what]),
        ),
      ),
    );
}

/** Takes whatever comes and looks at none of it: the machine is for the API. */
async function startCollector(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
