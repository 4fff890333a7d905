import type pg from 'pg';
import type { OrgId } from '../../src/kernel/ids.ts';
import { told, atMost, type Figure } from '../support/figure.ts';
import { timesOf } from '../support/in-turns.ts';
import { processorSeconds } from '../support/process-figures.ts';
import { copyMeant, inserts } from './bare.ts';
import type { Bars } from './figures.ts';
import { listFor } from './list.ts';

interface Asked {
  readonly org: OrgId;
  readonly rows: number;
  readonly rounds: number;
}

interface Seconds {
  readonly identifiers: number;
  readonly all: number;
}

/** Lists that no other round is about. */
const firstRound = 100;
/** Enough for the index to take in what it had put aside, several times. */
const mostRows = 10_000;

/**
 * What the index for search costs of bare inserts of new people: the same with it and without it in turns, each in a
 * transaction that is rolled back. In processor time, because whoever else is at work would be most of the difference.
 */
export async function searchShare(
  client: pg.Client,
  { org, rows, rounds }: Asked,
  { search }: Bars,
): Promise<Figure[]> {
  const sides: Record<'with' | 'without', Seconds[]> = { with: [], without: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const side of ['with', 'without'] as const) {
      const list = await listFor(client, org, {
        rows: Math.min(rows, mostRows),
        people: 0,
        round: firstRound + round,
      });
      await client.query('begin');
      if (side === 'without') await client.query('drop index identifiers_search');
      await copyMeant(client, org, list);
      const taken = await insertAll(client, org);
      await client.query('rollback');
      if (round > 0) sides[side].push(taken); // the first warms both
    }
  }
  const share = (of: keyof Seconds): number => {
    const [withIt, without] = [sides.with, sides.without].map(
      (all) => timesOf(all.map((one) => one[of])).p50,
    ) as [number, number];
    return (withIt - without) / withIt;
  };
  const name = 'index for search: its share of the inserts';
  return [
    search === undefined ? told(name, share('all')) : atMost(name, share('all'), search, 1),
    told('  of that into identifiers', share('identifiers')),
  ];
}

async function insertAll(client: pg.Client, org: OrgId): Promise<Seconds> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const taken = { identifiers: 0, all: 0 };
  for (const [table, statement] of Object.entries(inserts)) {
    const before = processorSeconds(rows[0]!.pid);
    await client.query(statement, [org]);
    const seconds = processorSeconds(rows[0]!.pid) - before;
    taken.all += seconds;
    if (table === 'identifiers') taken.identifiers = seconds;
  }
  return taken;
}
