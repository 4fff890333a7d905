import { dropDatabase, seedDatabase, type BenchOrg, type Population } from '../support/bench-database.ts';
import { tell, type Size } from '../support/command.ts';
import { atMost, told, type Figure } from '../support/figure.ts';
import { inTurns } from '../support/in-turns.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server-process.ts';
import { arrange } from './arrange.ts';
import { checkingBodies } from './bodies.ts';
import { ByHand } from './by-hand.ts';
import { peopleMeanwhile } from './meanwhile.ts';
import { shipped } from '../support/shipped.ts';

const plans = {
  small: {
    population: {
      name: 'rostrum_bench_plan_small',
      measured: [{ people: 20_000, properties: 5 }],
      others: { count: 1, people: 500, properties: 5 },
    },
    turns: 5,
    seconds: 1,
    bars: { hand: 4, body: { besideParser: 18 }, meanwhile: 6 },
  },
  full: {
    population: {
      name: 'rostrum_bench_plan',
      measured: [{ people: 1_000_000, properties: 5 }],
      others: { count: 20, people: 2_000, properties: 5 },
    },
    turns: 15,
    seconds: 10,
    bars: { hand: 1.3, body: { most: 100 }, meanwhile: 1.5 },
  },
} as const satisfies Record<Size, { population: Population; [key: string]: unknown }>;

/** Planning for everybody beside the bare SQL of its counts; long bodies; and what both cost everybody else. */
export async function plan(size: Size): Promise<Figure[]> {
  const { population, turns, seconds, bars } = plans[size];
  const database = await seedDatabase(population);
  const org = database.orgs[0] as BenchOrg;
  const server = await startServer([shipped, 'serve', 'api'], {
    DATABASE_URL: database.url,
    RATE_READ_PER_MINUTE: '1000000000',
    RATE_WRITE_PER_MINUTE: '1000000000',
    RATE_HEAVY_PER_MINUTE: '1000000000',
    ROSTRUM_SECRET: 'a secret for benches that guards nothing',
  });
  try {
    const service = new RestClient(server.url, org.secret);
    const sender_id = await arrange(database.url, org, service);
    const key = await textProperty(service);
    const { broadcast } = (await service.call('POST', '/v1/broadcasts', {
      audience: 'everyone',
      subject: 'Hello',
      html: '<p>Dear {{var_name}}, {{var_property}}</p>',
      variables: {
        var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'reader' },
        var_property: { variable: `{{context.root_context.org_user.custom_properties.${key}}}` },
      },
      sender_id,
    })) as { broadcast: { id: string } };
    const send_at = new Date(Date.now() + 86_400_000).toISOString();
    const planned = () => service.call('POST', `/v1/broadcasts/${broadcast.id}/plan`, { send_at });
    const people = population.measured[0].people;

    tell(`planning for ${people} people beside the bare SQL`);
    const hand = await ByHand.open(database.url, org.id, key);
    const [ours, bare] = await inTurns(turns, planned, () => hand.count());
    await hand.close();
    const alone = await ByHand.open(database.url, org.id, key, 0);
    const [again, inOneProcess] = await inTurns(turns, planned, () => alone.count());
    await alone.close();
    return [
      atMost(`plan for everyone, ${people} people: p50 ms`, ours.p50, bare.p50, bars.hand),
      atMost(`plan for everyone, ${people} people: p95 ms`, ours.p95, bare.p95, bars.hand),
      told('the same beside one process of PostgreSQL: p50 ms', again.p50, inOneProcess.p50),
      ...(await checkingBodies(service, turns * 2, bars.body)),
      ...(await peopleMeanwhile(
        { url: server.url, org, databaseUrl: database.url },
        { planned, service },
        seconds,
        bars.meanwhile,
      )),
    ];
  } finally {
    await server.stop();
    if (size === 'small') await dropDatabase(population);
  }
}

async function textProperty(service: RestClient): Promise<string> {
  const { property_configs } = (await service.call('GET', '/v1/property-configs')) as {
    property_configs: { key: string; type: string }[];
  };
  return property_configs.find(({ type }) => type === 'string')!.key;
}
