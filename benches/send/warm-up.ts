import { setTimeout as pause } from 'node:timers/promises';
import type { Sink } from '../support/start-sink.ts';
import { dkimPem, newDraft, newWebinar, sendNow, type Setting } from './arrange.ts';
import { startBare, type Bare } from './bare.ts';
import { patternOf } from './pattern.ts';
import type { Service } from './service.ts';

const few = 500;

/** Sends a few messages, which shows what the service sends, then starts nodemailer on the same, which sends some too. */
export async function warmUp(setting: Setting, service: Service, sink: Sink): Promise<Bare> {
  const broadcast = await newDraft(setting, await newWebinar(setting, few));
  await sendNow(setting, broadcast, service);
  await untilSent(setting, broadcast);
  const { sample } = await sink.state();
  const bare = await startBare(sink.port, await patternOf(sample, await dkimPem(setting)));
  await bare.go();
  await sink.watch({ skip: few, count: 0, atMostMs: 8_000 });
  await bare.rest();
  return bare;
}

/** What became of a broadcast, once it is over. */
export interface Outcome {
  readonly status: string;
  readonly error: string | null;
  readonly sent: number;
  readonly pending: number;
  readonly other: number;
}

export async function untilSent(setting: Setting, broadcast: string, patienceMs = 120_000): Promise<Outcome> {
  for (const until = Date.now() + patienceMs; ; await pause(50)) {
    const outcome = await outcomeOf(setting, broadcast);
    if (outcome.status === 'sent') return outcome;
    if (outcome.status === 'error') throw new Error(`the broadcast ended in error: ${outcome.error}`);
    if (Date.now() > until) throw new Error(`the broadcast did not end: ${JSON.stringify(outcome)}`);
  }
}

export async function outcomeOf({ rows, org }: Setting, broadcast: string): Promise<Outcome> {
  const { rows: found } = await rows.query<Outcome>(
    `select status, error, sent::int, pending::int, (recipients - sent - pending)::int as other
     from broadcasts where org_id = $1 and id = $2`,
    [org.id, broadcast],
  );
  return found[0]!;
}
