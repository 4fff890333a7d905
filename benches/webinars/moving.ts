import { tell } from '../support/command.ts';
import { atMost, exactly, told, type Figure } from '../support/figure.ts';
import { timesOf } from '../support/in-turns.ts';
import { inDays } from './reminders.ts';
import type { Waiting } from './waiting.ts';

/** The other way to keep waits: each with the moment it ends, and an index by it, which a move has to write anew. */
const bareWaits = `
  drop table if exists bare_waits;
  create table bare_waits (like waits including all)`;
const fillBare = `
  insert into bare_waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, due_at, began_at)
  select w.org_id, w.run_id, w.clock_id, w.person_id, w.workflow_id, w.version, w.node,
    t.start_time + w.offset_ms * interval '1 millisecond', w.began_at
  from waits w join webinars t on t.org_id = w.org_id and t.id = w.clock_id
  where w.org_id = $1 and w.clock_id = $2 order by w.began_at`;
const moveBare = `update bare_waits set due_at = due_at + $3 * interval '1 hour' where org_id = $1 and clock_id = $2`;

export interface Moved {
  readonly figures: readonly Figure[];
  /** The middle of all turns, in milliseconds. */
  readonly ms: number;
}

/** Rescheduling over REST beside one bare UPDATE of as many stored moments, in turns. */
export async function moving(
  { setting, webinar, count }: Waiting,
  { turns, bar }: { readonly turns: number; readonly bar: number },
): Promise<Moved> {
  tell(`moving a webinar with ${count} waits beside a bare UPDATE of them`);
  const { rows, rest, org } = setting;
  await rows.query(bareWaits);
  await rows.query(fillBare, [org.id, webinar]);
  await rows.query('vacuum analyze bare_waits');
  const taken: [number[], number[]] = [[], []];
  const counts = new Set<number>();
  const reschedule = async (turn: number): Promise<void> => {
    const start_time = inDays(turn % 2 === 0 ? 40 : 35);
    const body = { webinar_id: webinar, start_time };
    const answer = (await rest.call('POST', '/v1/webinars/reschedule', body)) as { recomputed: number };
    counts.add(answer.recomputed);
  };
  const rewrite = async (turn: number): Promise<void> => {
    const { rowCount } = await rows.query(moveBare, [org.id, webinar, turn % 2 === 0 ? 24 : -24]);
    if (rowCount !== count) throw new Error(`the bare UPDATE moved ${rowCount}`);
  };
  for (let turn = -1; turn < turns; turn++) {
    for (const [side, run] of [reschedule, rewrite].entries()) {
      const started = performance.now();
      await run(turn);
      if (turn >= 0) taken[side]!.push(performance.now() - started); // the first turn warms both
    }
    await rows.query('vacuum bare_waits'); // what the last turn left behind is not this one's to carry
  }
  await rows.query('drop table bare_waits');
  const [ours, bare] = [timesOf(taken[0]), timesOf(taken[1])];
  return {
    ms: ours.p50,
    figures: [
      atMost(`moving ${count} waits: ms`, ours.p50, bare.p50, bar),
      told(`moving ${count} waits: p95 ms`, ours.p95, bare.p95),
      exactly(
        `moving ${count} waits: counted, in every turn`,
        counts.size === 1 ? [...counts][0]! : -1,
        count,
      ),
    ],
  };
}
