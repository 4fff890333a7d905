import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { tell } from '../../benches/support/command.ts';

/** One look at a broadcast: its totals, and the same counted from the ledger in the same snapshot. */
export interface Sample {
  readonly status: string;
  readonly totals: Readonly<Record<State, number>> & { readonly recipients: number };
  readonly counted: Readonly<Record<State, number>> & { readonly recipients: number };
  /** Counted by reason, by quarter of an hour. */
  readonly explained: Readonly<Record<(typeof explainedStates)[number], number>>;
  readonly tallied: number;
}

const states = ['pending', 'sent', 'skipped', 'failed', 'uncertain'] as const;
const explainedStates = ['skipped', 'failed', 'uncertain'] as const;
export type State = (typeof states)[number];

export interface LedgerWatch {
  readonly last: Sample | undefined;
  readonly samples: number;
  /** Samples in which the recipients were not all accounted for, or totals and ledger did not agree. */
  readonly unbalanced: number;
  readonly stop: () => Promise<void>;
}

// One statement, so one snapshot. What is being handed over counts as pending.
const look = `
  select b.status,
    jsonb_build_object('recipients', b.recipients, 'pending', b.pending, 'sent', b.sent, 'skipped', b.skipped,
      'failed', b.failed, 'uncertain', b.uncertain) as totals,
    (select jsonb_build_object('recipients', count(*),
       'pending', count(*) filter (where state in ('pending', 'sending')),
       'sent', count(*) filter (where state = 'sent'), 'skipped', count(*) filter (where state = 'skipped'),
       'failed', count(*) filter (where state = 'failed'), 'uncertain', count(*) filter (where state = 'uncertain'))
     from deliveries d where d.org_id = b.org_id and d.broadcast_id = b.id) as counted,
    (select jsonb_build_object('skipped', coalesce(sum(count) filter (where outcome = 'skipped'), 0),
       'failed', coalesce(sum(count) filter (where outcome = 'failed'), 0),
       'uncertain', coalesce(sum(count) filter (where outcome = 'uncertain'), 0))
     from broadcast_reasons r where r.org_id = b.org_id and r.broadcast_id = b.id) as explained,
    (select coalesce(sum(count), 0)::int from broadcast_tallies t
     where t.org_id = b.org_id and t.broadcast_id = b.id and t.kind = 'sent') as tallied
  from broadcasts b where b.id = $1`;

/** Looks at a broadcast over and over through a connection of its own, whenever the database is there. */
export function watchLedger(url: string, broadcast: string, everyMs: number): LedgerWatch {
  const watch = { last: undefined as Sample | undefined, samples: 0, unbalanced: 0 };
  let stopped = false;
  let client: pg.Client | undefined;

  const sample = async (): Promise<void> => {
    client ??= await connect(url);
    const { rows } = await client.query<Sample>(look, [broadcast]);
    const [seen] = rows;
    if (seen === undefined) throw new Error('the broadcast is gone');
    watch.last = seen;
    watch.samples += 1;
    if (balances(seen)) return;
    watch.unbalanced += 1;
    tell(`unbalanced: ${JSON.stringify(seen)}`);
  };
  const running = (async () => {
    while (!stopped) {
      await sample().catch(async () => {
        await client?.end().catch(() => undefined);
        client = undefined;
      });
      await pause(everyMs);
    }
    await client?.end();
  })();
  return Object.assign(watch, {
    stop: async () => {
      stopped = true;
      await running;
    },
  });
}

const balances = ({ totals, counted, explained, tallied }: Sample): boolean =>
  totals.recipients === states.reduce((sum, state) => sum + totals[state], 0) &&
  totals.recipients === counted.recipients &&
  states.every((state) => totals[state] === counted[state]) &&
  explainedStates.every((state) => explained[state] === totals[state]) &&
  tallied === totals.sent;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    query_timeout: 20_000,
  });
  client.on('error', () => undefined); // the query that finds out says so
  await client.connect();
  return client;
}
