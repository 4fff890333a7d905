import { tell } from '../../benches/support/command.ts';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { journeyOf, type ModelStep, type Starts } from '../workflows/model.ts';
import { PatientRows } from './workflow-rows.ts';
import type { WorkflowStage } from './workflow-stage.ts';

interface Run {
  readonly email: string;
  readonly began: Date;
  readonly outcome: string | null;
  readonly path: readonly { readonly node: string; readonly at: string; readonly did: string }[];
}

interface Row {
  readonly id: string;
  readonly email: string;
  readonly node: string;
  readonly state: string;
  readonly reason: string | null;
}

const shown = 5;

/** Every run against the model, every row of the ledger against the model, and both against what the mail server took. */
export async function judgeJourney(
  { postgres, sink, hands, invited }: WorkflowStage,
  starts: Starts,
): Promise<Figure[]> {
  const rows = new PatientRows(postgres.url);
  const runs = await rows.query<Run>(`
    select p.primary_email as email, r.started_at as began, r.outcome, r.path from workflow_runs r
    join people p on p.org_id = r.org_id and p.id = r.person_id`);
  const ledger = await rows.query<Row>(`
    select d.id::text, p.primary_email as email, b.node, d.state, d.reason from deliveries d
    join broadcasts b on b.org_id = d.org_id and b.id = d.broadcast_id
    join people p on p.org_id = d.org_id and p.id = d.person_id`);
  const [beside] = await rows.query<Record<'used' | 'marked' | 'waiting' | 'open' | 'busy', number>>(`
    select (select coalesce(sum(used), 0)::int from allowance_uses) as used,
      (select count(*)::int from property_values v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
       where c.key = 'journey' and v.text_value = 'done') as marked,
      (select count(*)::int from waits) as waiting,
      (select count(*)::int from broadcasts where pending <> 0 or sent + uncertain <> recipients) as open,
      (select count(*)::int from wait_clocks where next_at < 'infinity') as busy`);
  await rows.close();
  const log = await sink.readLog();

  const known = new Map(invited.map((one) => [one.email, one]));
  const models = new Map(
    runs.map((run) => {
      const { isPro = false, attended = false } = known.get(run.email) ?? {};
      return [run.email, journeyOf({ at: run.began.getTime(), isPro, attended }, starts)] as const;
    }),
  );
  const astray = runs.filter((run) => run.outcome !== 'completed' || !isSame(run, models.get(run.email)!));
  for (const run of astray.slice(0, shown))
    tell(`${JSON.stringify(run)}\n  should be ${JSON.stringify(models.get(run.email)?.map(onPath))}`);
  const wanted = new Set([...models].flatMap(([email, steps]) => messagesOf(email, steps)));
  const byMessage = Map.groupBy(ledger, messageOf);
  const [sent, uncertain] = ['sent', 'uncertain'].map((state) => ledger.filter((row) => row.state === state));
  const taken = (row: Row): number => log.messages.get(messageOf(row)) ?? 0;
  const unsure = uncertain!.map((row) => ({ ...row, message: messageOf(row) }));
  return [
    exactly('runs', runs.length, invited.length),
    exactly('people with a run', new Set(runs.map(({ email }) => email)).size, invited.length),
    exactly('runs that went or ended otherwise than the model says', astray.length, 0),
    exactly('people whose property was set at the end', beside!.marked, invited.length),
    exactly('waits left over', beside!.waiting, 0),
    exactly('clocks still set', beside!.busy, 0),
    exactly('messages in the ledger', ledger.length, wanted.size),
    exactly(
      'of those not wanted, or twice',
      ledger.length - count(byMessage.keys(), (key) => wanted.has(key)),
      0,
    ),
    exactly('neither sent nor uncertain', ledger.length - sent!.length - uncertain!.length, 0),
    exactly('mailings whose totals do not add up', beside!.open, 0),
    exactly(
      'lost: sent, but never taken',
      count(sent!, (row) => taken(row) === 0),
      0,
    ),
    exactly(
      'taken twice, of those that are sent',
      count(sent!, (row) => taken(row) > 1),
      0,
    ),
    exactly(
      'taken twice, of those that are uncertain',
      count(uncertain!, (row) => taken(row) > 1),
      0,
    ),
    exactly(
      'taken, but not wanted',
      count(log.messages.keys(), (key) => !byMessage.has(key)),
      0,
    ),
    ...(await hands.judge(unsure, { cut: log.cut, messages: ledger.length })),
    told(
      'uncertain, and taken',
      count(uncertain!, (row) => taken(row) > 0),
    ),
    told('connections cut by the mail server', log.cutTaken + log.cutNotTaken),
    exactly('used of the allowance', beside!.used, sent!.length + uncertain!.length),
  ];
}

const messageOf = ({ email, node }: Pick<Row, 'email' | 'node'>): string => `${email} ${node}`;
const messagesOf = (email: string, steps: readonly ModelStep[]): string[] =>
  steps.filter(({ did }) => did === 'added').map(({ node }) => messageOf({ email, node }));

const onPath = ({ node, at, did }: ModelStep) => ({ node, at: new Date(at).toISOString(), did });

const isSame = ({ path }: Run, steps: readonly ModelStep[]): boolean =>
  path.length === steps.length &&
  steps.every(({ node, at, did }, index) => {
    const went = path[index]!;
    return went.node === node && went.did === did && Date.parse(went.at) === at;
  });

function count<T>(items: Iterable<T>, holds: (item: T) => boolean): number {
  let found = 0;
  for (const item of items) if (holds(item)) found += 1;
  return found;
}
