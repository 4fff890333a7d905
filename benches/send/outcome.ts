import { setTimeout as pause } from 'node:timers/promises';
import type { Setting } from './arrange.ts';

/** What became of a broadcast, by its totals. */
export interface Outcome {
  readonly status: string;
  readonly error: string | null;
  readonly sent: number;
  /** Neither sent nor waiting: skipped, failed or uncertain. */
  readonly other: number;
}

/** Waits until a broadcast is over, or the time is. */
export async function untilSent(setting: Setting, broadcast: string, until: number): Promise<Outcome> {
  for (;;) {
    const outcome = await outcomeOf(setting, broadcast);
    if (outcome.status === 'error') throw new Error(`the broadcast ended in error: ${outcome.error}`);
    if (outcome.status === 'sent' || Date.now() > until) return outcome;
    await pause(50);
  }
}

async function outcomeOf({ rows, org }: Setting, broadcast: string): Promise<Outcome> {
  const { rows: found } = await rows.query<Outcome>(
    `select status, error, sent::int, (recipients - sent - pending)::int as other
     from broadcasts where org_id = $1 and id = $2`,
    [org.id, broadcast],
  );
  return found[0]!;
}
