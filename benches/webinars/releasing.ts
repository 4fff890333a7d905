import { tell } from '../support/command.ts';
import { exactly, reaching, told, type Figure } from '../support/figure.ts';
import { forkScript, type Forked } from '../support/forked.ts';
import { timesOf } from '../support/in-turns.ts';
import { backendsOf, processorSeconds } from '../support/process-figures.ts';
import type { RingOutcome } from './releaser.ts';
import { reminders } from './reminders.ts';
import { becomeDue, inLedger, type Waiting } from './waiting.ts';

/** A process that rings clocks, as the handlers would. */
export interface Releaser {
  ring(waiting: Waiting): Promise<RingOutcome>;
  stop(): Promise<void>;
}

export async function startReleaser(url: string): Promise<Releaser> {
  const forked: Forked = forkScript(new URL('releaser.ts', import.meta.url));
  await forked.ask({ ask: 'open', url });
  return {
    ring: ({ setting, webinar }) => forked.ask({ ask: 'ring', org: setting.org.id, clock: webinar }),
    stop: () => forked.stop(),
  };
}

/**
 * Releases everybody three times: out of the wait, through the graph, into the ledger and to the next wait, or to the
 * end. Nobody sends meanwhile.
 */
export async function releasing(
  waiting: Waiting,
  releaser: Releaser,
  { database, bars }: { readonly database: string; readonly bars: ReleaseBars },
): Promise<Figure[]> {
  const { count } = waiting;
  const turns: { rate: number; node: number; postgres: number }[] = [];
  const figures: Figure[] = [];
  for (const reminder of reminders) {
    await becomeDue(waiting, reminder);
    const before = spent(database);
    const { released, ms, processorMs } = await releaser.ring(waiting);
    const postgresMs = spent(database, before);
    const turn = {
      rate: (count / ms) * 1000,
      node: (processorMs / count) * 1000,
      postgres: (postgresMs / count) * 1000,
    };
    turns.push(turn);
    const { added } = await inLedger(waiting, reminder);
    tell(`  ${reminder.send}: ${turn.rate.toFixed(0)} a second`);
    figures.push(
      told(`  at ${reminder.wait}: waits a second`, turn.rate),
      exactly(`  at ${reminder.wait}: waits released`, released, count),
      exactly(`  at ${reminder.wait}: messages in the ledger`, added, count),
    );
  }
  const middle = (of: keyof (typeof turns)[number]): number => timesOf(turns.map((turn) => turn[of])).p50;
  return [
    reaching(`waits released a second, ${count} due at once`, middle('rate'), bars.aSecond),
    reaching(
      '  for a second of processor time',
      1e6 / (middle('node') + middle('postgres')),
      bars.ofProcessor,
    ),
    told('  processor µs a wait: Node', middle('node')),
    told('  processor µs a wait: PostgreSQL, the connections', middle('postgres')),
    ...figures,
    exactly('  runs that ended', await ended(waiting), count),
  ];
}

/** Node and its connection take turns, so their processor time is what limits the rate where nobody else works. */
interface ReleaseBars {
  readonly aSecond?: number;
  readonly ofProcessor?: number;
}

/** Milliseconds of processor time that the database's own processes have had, beyond `before`. */
function spent(database: string): Map<number, number>;
function spent(database: string, before: ReadonlyMap<number, number>): number;
function spent(database: string, before?: ReadonlyMap<number, number>): Map<number, number> | number {
  const now = new Map(backendsOf(database).map((pid) => [pid, processorSeconds(pid) * 1000]));
  if (before === undefined) return now;
  return [...now].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

async function ended({ setting, webinar }: Waiting): Promise<number> {
  const { rows } = await setting.rows.query<{ ended: number }>(
    `select count(*)::int as ended from workflow_runs
     where org_id = $1 and webinar_id = $2 and state = 'ended' and outcome = 'completed'
       and not exists (select 1 from waits where waits.org_id = $1 and run_id = workflow_runs.id)`,
    [setting.org.id, webinar],
  );
  return rows[0]!.ended;
}
