import { setTimeout as pause } from 'node:timers/promises';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { onDatabase, subject } from './broadcast-setting.ts';
import { tellEngine, type Stage } from './broadcast-stage.ts';
import { registrantMessages } from './registrants.ts';

interface Row {
  readonly email: string;
  readonly subject: string;
  readonly state: string;
  readonly reason: string | null;
}

/** What the broadcast and the registrants' workflow came to. */
export interface Whole {
  readonly figures: readonly Figure[];
  readonly uncertain: number;
}

const left = `
  select (select count(*)::int from outbox) as outbox, (select count(*)::int from waits) as waits,
    (select count(*)::int from property_changes) as changes,
    (select count(*)::int from workflow_runs where outcome is distinct from 'completed') as runs,
    (select count(*)::int from workflow_runs r where (
      select count(*) from deliveries d where d.org_id = r.org_id and d.run_id = r.id) <> ${registrantMessages.length}) as unwritten,
    (select count(*)::int from broadcasts where pending <> 0) as open`;

/** Every row of the ledger against the log of the mail server, which is the truth, and whatever is due against none. */
export async function judgeWhole(
  { postgres, sink, people, optedOut }: Stage,
  /** Those whose registration must have survived. */
  registered: readonly string[],
): Promise<Whole> {
  const { messages } = await sink.readLog();
  const { ledger, runs, due } = await onDatabase(postgres.url, async (client) => ({
    ledger: await client.query<Row>(
      `select p.primary_email as email, coalesce(b.node, '${subject}') as subject, d.state, d.reason from deliveries d
       join broadcasts b on b.org_id = d.org_id and b.id = d.broadcast_id
       join people p on p.org_id = d.org_id and p.id = d.person_id`,
    ),
    runs: await client.query<{ email: string; tier: string | null }>(
      `select p.primary_email as email, (select v.text_value from property_values v
         join property_configs c on c.org_id = v.org_id and c.id = v.config_id
         where v.org_id = p.org_id and v.person_id = p.id and c.key = 'plan_tier') as tier
       from workflow_runs r join people p on p.org_id = r.org_id and p.id = r.person_id`,
    ),
    due: await client.query<Record<'outbox' | 'waits' | 'changes' | 'runs' | 'unwritten' | 'open', number>>(
      left,
    ),
  }));
  const rows = ledger.rows.map((row) => ({ ...row, message: `${row.email} ${row.subject}` }));
  const of = (state: string) => rows.filter((row) => row.state === state);
  const [sent, uncertain] = [of('sent'), of('uncertain')];
  const known = new Set([...sent, ...uncertain].map(({ message }) => message));
  const isHere = new Set(rows.map(({ email }) => email));
  const toAll = (some: typeof rows) => some.filter((row) => row.subject === subject).length;
  const withRun = new Set(runs.rows.map(({ email }) => email));
  const taken = [...messages];
  const beyond = taken.filter(([one]) => !known.has(one) && isHere.has(one.split(' ')[0]!));
  const reason = (why: string) => uncertain.filter((row) => row.reason === why).length;
  const [open] = due.rows;
  return {
    uncertain: uncertain.length,
    figures: [
      exactly('messages taken twice', taken.filter(([, times]) => times > 1).length, 0),
      exactly('lost: sent, but never taken', sent.filter(({ message }) => !messages.has(message)).length, 0),
      exactly('taken, but neither sent nor uncertain', beyond.length, 0),
      exactly(
        'of the broadcast: sent, uncertain or opted out',
        toAll([...sent, ...uncertain]) + optedOut,
        people,
      ),
      exactly('neither settled nor opted out', rows.length - sent.length - uncertain.length - optedOut, 0),
      exactly('broadcasts and mailings with somebody pending', open!.open, 0),
      told('registrants with a run', withRun.size),
      exactly(
        '  registered for good, without a run',
        registered.filter((email) => !withRun.has(email)).length,
        0,
      ),
      exactly('  runs that did not end', open!.runs, 0),
      exactly('  runs without one of their messages', open!.unwritten, 0),
      exactly('  without their property', runs.rows.filter(({ tier }) => tier !== 'guest').length, 0),
      exactly('left over: outbox, waits, property changes', open!.outbox + open!.waits + open!.changes, 0),
      told('uncertain', uncertain.length),
      told('  because the database had lost their records', reason('record_lost')),
      told('  because they were in hand', reason('interrupted')),
      told('  for want of an answer', reason('no_answer')),
      told('  and not taken', uncertain.filter(({ message }) => !messages.has(message)).length),
    ],
  };
}

/** Waits until nothing is left to do, sweeping more often than the relay if asked to. False if patience ended first. */
export async function untilAllDone(
  url: string,
  { patience, sweepMs = Infinity }: { readonly patience: number; readonly sweepMs?: number | undefined },
): Promise<boolean> {
  let swept = performance.now();
  const until = performance.now() + patience * 1000;
  const look = `select exists (select 1 from broadcasts where status in ('scheduled', 'sending'))
    or exists (select 1 from waits) or exists (select 1 from workflow_runs where ended_at is null)
    or exists (select 1 from property_changes) or exists (select 1 from outbox)
    or exists (select 1 from deliveries where state in ('pending', 'sending')) as busy`;
  while (performance.now() < until) {
    const seen = await onDatabase(url, (client) => client.query<{ busy: boolean }>(look)).catch(
      () => undefined,
    );
    if (seen?.rows[0]?.busy === false) return true;
    await pause(200);
    if (performance.now() - swept < sweepMs) continue;
    await tellEngine(url).catch(() => undefined);
    swept = performance.now();
  }
  return false;
}
