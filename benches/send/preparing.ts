import { openDatabase, openPool } from '../../src/database/pool.ts';
import { requireBroadcast } from '../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { prepareNext } from '../../src/domain/broadcasts/sending/prepare-audience.ts';
import { readRun } from '../../src/domain/broadcasts/sending/run.ts';
import { sinkProvider } from '../../src/domain/delivery/providers/sink.ts';
import { asService } from '../../src/domain/orgs/as-service.ts';
import type { BroadcastId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { tell } from '../support/command.ts';
import { atLeast, exactly, type Figure } from '../support/figure.ts';
import { timesOf } from '../support/in-turns.ts';
import { newDraft, type Setting } from './arrange.ts';
import { secret } from './service.ts';
import { always } from '../../tests/support/providers.ts';

/** A ledger like ours, with its indexes, but nothing that counts and no row level security. */
const bareLedger = 'create table if not exists bare_deliveries (like deliveries_default including all)';
const bareInsert = `
  insert into bare_deliveries (org_id, broadcast_id, person_id, state, due_at)
  select r.org_id, $3, r.person_id, 'pending', now() from registrations r where r.org_id = $1 and r.webinar_id = $2`;

/** Writing the audience into the ledger, beside one bare INSERT … SELECT of the same people. In turns. */
export async function preparing(
  setting: Setting,
  { url, webinar, people }: { readonly url: string; readonly webinar: string; readonly people: number },
  { turns, bar }: { readonly turns: number; readonly bar: number },
): Promise<Figure[]> {
  tell(`preparing ${people} recipients beside a bare insert`);
  const { rows, org } = setting;
  const broadcast = await newDraft(setting, webinar);
  const taken: [number[], number[]] = [[], []];
  const prepare = preparer(url, org.id, broadcast as BroadcastId);
  const insert = () => rows.query(bareInsert, [org.id, webinar, broadcast]);
  await rows.query(bareLedger);
  for (let turn = -1; turn < turns; turn++) {
    await emptyLedgers(setting, broadcast);
    for (const [side, run] of [prepare.all, insert].entries()) {
      const started = performance.now();
      await run();
      if (turn >= 0) taken[side]!.push(performance.now() - started);
    }
  }
  const { rows: counted } = await rows.query<{ pending: number; inserted: number }>(
    `select b.pending::int, (select count(*)::int from bare_deliveries) as inserted from broadcasts b
     where b.org_id = $1 and b.id = $2`,
    [org.id, broadcast],
  );
  await prepare.close();
  await emptyLedgers(setting, broadcast);
  await rows.query('drop table bare_deliveries');
  await rows.query('delete from broadcasts where org_id = $1 and id = $2', [org.id, broadcast]);
  const rate = (side: 0 | 1): number => (people / timesOf(taken[side]).p50) * 1000;
  return [
    atLeast(`recipients prepared a second, ${people}`, rate(0), rate(1), bar),
    exactly(`recipients prepared, ${people}`, counted[0]!.pending, people),
    exactly(`recipients inserted by hand, ${people}`, counted[0]!.inserted, people),
  ];
}

/** Both empty, and the broadcast as it is when its sending begins. */
async function emptyLedgers({ rows, org }: Setting, broadcast: string): Promise<void> {
  await rows.query('truncate deliveries, delivery_queue, bare_deliveries');
  await rows.query('delete from broadcast_reasons where org_id = $1 and broadcast_id = $2', [
    org.id,
    broadcast,
  ]);
  await rows.query(
    `update broadcasts set status = 'sending', send_at = now(), started_at = now(), paced_over_hours = 0, recipients = 0, pending = 0,
       skipped = 0, prepared_through = null, prepared_at = null
     where org_id = $1 and id = $2`,
    [org.id, broadcast],
  );
}

/** The service's own preparation, step by step as a lane takes them. */
function preparer(url: string, org: Setting['org']['id'], broadcast: BroadcastId) {
  const pool = openPool({ url, size: 1, onError: () => undefined });
  const database = openDatabase(pool);
  const parts = {
    keys: keyring({ ROSTRUM_SECRET: secret }),
    mail: { returnPathHost: 'bounce.example.test', publicUrl: 'https://mail.example.test' },
  };
  const providers = always({ email: sinkProvider() });
  const step = () =>
    asService(database, parts, { org, now: new Date(), actor: 'bench', requestId: 'bench' }, async (work) => {
      const read = await readRun(work, await requireBroadcast(work, broadcast, 'lock'), providers);
      if ('problem' in read) throw new Error(read.problem);
      return prepareNext(work, read.run);
    });
  return {
    all: async () => {
      while (!(await step()));
    },
    close: () => pool.end(),
  };
}
