import { registerForWebinar } from '../../src/domain/webinars/registrations/register-for-webinar.ts';
import { recordSql, type Statement } from '../people/record-sql.ts';
import type { Setting } from '../send/arrange.ts';
import { tell } from '../support/command.ts';
import { atLeast, exactly, told, type Figure } from '../support/figure.ts';
import { timesOf } from '../support/in-turns.ts';
import { load, type Load } from '../support/load.ts';
import { startServer } from '../support/server-process.ts';
import { bodyOf, kinds, registrantsOf, toBare, toRest } from './registrants.ts';
import { registerByHand } from './register-by-hand.ts';
import { newWebinar } from './reminders.ts';

export const clients = 32;
const repeats = 200;
// Half of the 0.37 measured at the small size, once and on a busy machine.
const byHandBar = 0.18;

/** Registering over REST beside a bare server that runs the same SQL and one that runs the least, in turns. */
export async function registering(
  setting: Setting,
  { url, databaseUrl }: { readonly url: string; readonly databaseUrl: string },
  { rounds, seconds, bar }: { readonly rounds: number; readonly seconds: number; readonly bar: number },
): Promise<Figure[]> {
  tell(`registering with ${clients} clients beside the bare server`);
  const webinar = await newWebinar(setting);
  const registrants = await registrantsOf(setting, webinar, repeats);
  const samples = kinds.map((kind) => registrants.next(kind));
  const statements = await recordSql(
    databaseUrl,
    setting.org.id,
    Object.fromEntries(samples.map((sample) => [sample.kind, [registerForWebinar, bodyOf(sample)]])),
  );
  const startBare = (sent: Record<string, Statement[]>) =>
    startServer(['benches/people/bare-server.ts'], {
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '16',
      ORG: setting.org.id,
      STATEMENTS: JSON.stringify(sent),
      SAMPLES: JSON.stringify(
        Object.fromEntries(samples.map(({ kind, input }) => [kind, { ...input, made: 'true' }])),
      ),
    });
  const bare = await startBare(statements);
  const hand = await startBare(
    Object.fromEntries(
      samples.map((one) => [one.kind, registerByHand(one, setting.org.id, statements[one.kind]!)]),
    ),
  );
  try {
    const ours = (): Promise<Load> =>
      load({
        url,
        connections: clients,
        seconds,
        next: () => toRest(registrants.mixed(), setting.org.secret),
      });
    const by =
      ({ url: server }: { readonly url: string }) =>
      (): Promise<Load> =>
        load({ url: server, connections: clients, seconds, next: () => toBare(registrants.mixed()) });
    const taken: [Load[], Load[], Load[]] = [[], [], []];
    for (let round = -1; round < rounds; round++) {
      for (const [side, run] of [ours, by(bare), by(hand)].entries()) {
        const done = await run();
        if (round >= 0) taken[side]!.push(done); // the first round warms all
      }
    }
    const middle = (side: 0 | 1 | 2, of: keyof Load): number =>
      timesOf(taken[side].map((one) => one[of])).p50;
    const both = (of: keyof Load): [number, number] => [middle(0, of), middle(1, of)];
    return [
      atLeast('register: calls a second', ...both('throughput'), bar),
      atLeast(
        '  beside SQL by hand: calls a second',
        middle(0, 'throughput'),
        middle(2, 'throughput'),
        byHandBar,
      ),
      told('register: p50 ms', ...both('p50')),
      told('register: p95 ms', ...both('p95')),
      ...(await judged(setting, webinar)),
    ];
  } finally {
    await bare.stop();
    await hand.stop();
  }
}

/** Everybody registered by either server has one run; those registered beforehand, by hand, have none. */
async function judged({ rows, org }: Setting, webinar: string): Promise<Figure[]> {
  const { rows: found } = await rows.query<{ registered: number; runs: number; waits: number }>(
    `select (select count(*)::int from registrations where org_id = $1 and webinar_id = $2) as registered,
       (select count(*)::int from workflow_runs where org_id = $1 and webinar_id = $2) as runs,
       (select count(*)::int from waits where org_id = $1 and clock_id = $2) as waits`,
    [org.id, webinar],
  );
  const { registered, runs, waits } = found[0]!;
  return [
    exactly('register: runs begun', runs, registered - repeats),
    exactly('register: runs that wait at their trigger', waits, runs),
  ];
}
