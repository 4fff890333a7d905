import pg from 'pg';
import { startService } from '../send/service.ts';
import {
  copyDatabase,
  dropDatabase,
  seedDatabase,
  type BenchOrg,
  type Population,
} from '../support/bench-database.ts';
import { tell, type Options, type Size } from '../support/command.ts';
import { atLeast, exactly, type Figure } from '../support/figure.ts';
import { freePort } from '../../src/main/free-ports.ts';
import { importBare } from './bare.ts';
import { describe, figuresOf, rate, type Bars, type Round } from './figures.ts';
import { listFor } from './list.ts';
import { importOurs } from './ours.ts';
import { searchShare } from './search-share.ts';

interface Plan {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly rows: number;
  readonly rounds: number;
  readonly bars: Bars;
}

const plans: Readonly<Record<Size, Plan>> = {
  small: {
    name: 'rostrum_bench_imports_small',
    sizes: [0, 3_000],
    rows: 1_500,
    rounds: 1,
    bars: { commit: 0.25, growth: 0.6, memory: 260, wait: 1_000 },
  },
  full: {
    name: 'rostrum_bench_imports',
    sizes: [0, 100_000, 1_000_000],
    rows: 50_000,
    rounds: 3,
    bars: { commit: 0.4, growth: 0.9, memory: 256, wait: 500, rate: 3_000, search: 0.25 },
  },
};

/** A list through the whole service beside bare SQL that writes the same rows, into organizations of several sizes. */
export async function imports(size: Size, { people: only, ...asked }: Options): Promise<Figure[]> {
  const { rounds, bars, ...plan } = plans[size];
  const { rows = plan.rows } = asked;
  const sizes = plan.sizes.filter((people) => only === undefined || people === only);
  if (sizes.length === 0) throw new Error(`nothing is measured with ${only} people in this size`);
  const name = only === undefined ? plan.name : `${plan.name}_${only}`; // seeded with these alone
  // Two that are filled alike, one for each side; an empty one is empty once, so those are new in every round.
  const orgsOf = (people: number): number => (people === 0 ? 2 * (rounds + 1) : 2);
  const population: Population = {
    name,
    measured: sizes.flatMap((people) =>
      Array.from({ length: orgsOf(people) }, () => ({ people, properties: 5 })),
    ),
    others: { count: 2, people: 500, properties: 5 },
  };
  const closing: (() => unknown)[] = [];
  if (size === 'small') closing.push(() => dropDatabase(population));
  try {
    const seeded = await seedDatabase(population);
    // What is seeded stays as it is: every run begins with the same.
    const run = await copyDatabase(population, `${name}_run`);
    closing.push(run.drop);
    const client = new pg.Client({ connectionString: run.url });
    await client.connect();
    closing.push(() => client.end());
    const service = await startService(run.url, await freePort(), closing);
    const orgs = new Map<number, BenchOrg[]>();
    let taken = 0;
    for (const people of sizes)
      orgs.set(people, seeded.orgs.slice(taken, (taken += orgsOf(people))) as BenchOrg[]);

    const results = new Map<number, Round[]>(sizes.map((people) => [people, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const people of sizes) {
        const at = people === 0 ? 2 * round : 0;
        const [ours, theirs] = orgs.get(people)!.slice(at, at + 2) as [BenchOrg, BenchOrg];
        const list = await listFor(client, ours.id, { rows, people, round });
        const done = await importOurs(
          service,
          { secret: ours.secret, rows: client, database: `${name}_run` },
          list,
        );
        const bare = await importBare(client, theirs.id, list);
        tell(`${people} people, round ${round}: ${describe(rows, { ...done, bare })}`);
        if (round > 0) results.get(people)!.push({ ...done, bare }); // the first warms everything
      }
    }
    const rates = sizes.map((people) => rate(rows, results.get(people)!, 'commit'));
    return [
      ...sizes.flatMap((people) => figuresOf(people, rows, results.get(people)!, bars)),
      ...(rates.length > 1
        ? [
            atLeast(
              `commit: rows a second, ${sizes.at(-1)} people beside ${sizes[0]}`,
              rates.at(-1)!,
              rates[0]!,
              bars.growth,
            ),
          ]
        : []),
      ...(await judged(client, orgs)),
      ...(await searchShare(client, { org: orgs.get(sizes.at(-1)!)!.at(-1)!.id, rows, rounds }, bars)),
    ];
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** Both sides must have left the same: in each pair as many people, identifiers and values. */
async function judged(client: pg.Client, orgs: ReadonlyMap<number, readonly BenchOrg[]>): Promise<Figure[]> {
  const counts: number[][] = [[], []];
  for (const [index, { id }] of [...orgs.values()].flat().entries()) {
    const { rows } = await client.query<{ all: string }>(
      `select (select count(*) from people where org_id = $1)
         + (select count(*) from identifiers where org_id = $1)
         + (select count(*) from property_values where org_id = $1) as all`,
      [id],
    );
    counts[index % 2]!.push(Number(rows[0]!.all));
  }
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
  return [exactly('rows in the three tables, beside bare', sum(counts[0]!), sum(counts[1]!))];
}
