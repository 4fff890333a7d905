import pg from 'pg';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { RestClient } from '../../benches/support/rest-client.ts';
import { subject } from './broadcast-setting.ts';
import type { Stage } from './broadcast-stage.ts';
import type { LedgerWatch } from './ledger-watch.ts';
import { until } from './part.ts';
import type { SinkLog } from './smtp-sink.ts';

interface Row {
  readonly id: string;
  readonly email: string;
  readonly state: string;
  readonly reason: string | null;
}

/** The ledger against the log of the mail server, which is the truth, and against what follows from each message. */
export async function judge(
  { postgres, sink, hands, people, optedOut, url, key }: Stage,
  broadcast: string,
  watch: LedgerWatch,
): Promise<Figure[]> {
  const log = await sink.readLog();
  const rows = await readRows(postgres.url, broadcast);
  await until(`${url}/health`); // the last kill may have been the API's
  const answer = (await new RestClient(url, key).call('GET', `/v1/broadcasts/${broadcast}`)) as {
    broadcast: { status: string; counts: { sent: number } };
  };
  const of = (state: string, reason?: string) =>
    rows.ledger.filter((row) => row.state === state && (reason === undefined || row.reason === reason));
  const [sent, uncertain] = [of('sent'), of('uncertain')];
  const isTaken = ({ email }: Row) => log.taken.has(email);
  const isTwice = ({ email }: Row) => (log.taken.get(email) ?? 0) > 1;
  const unsure = uncertain.map((row) => ({ ...row, message: `${row.email} ${subject}` }));
  return [
    told('connections cut by the mail server, the message taken', log.cutTaken),
    told('connections cut by the mail server, the message not taken', log.cutNotTaken),
    told('longest time without a message, seconds', log.longestGap() / 1000),
    told('samples of the ledger', watch.samples),
    exactly('samples that did not balance', watch.unbalanced, 0),
    exactly('broadcasts that ended as sent', Number(answer.broadcast.status === 'sent'), 1),
    exactly('sent, as the API tells it', answer.broadcast.counts.sent, sent.length),
    exactly('recipients in the ledger', rows.ledger.length, people),
    exactly('recipients still pending', of('pending').length + of('sending').length, 0),
    exactly('skipped because they opted out', of('skipped', 'opted_out').length, optedOut),
    exactly('skipped or failed for any other reason', otherwise(rows.ledger), 0),
    exactly('lost: sent, but never taken', sent.filter((row) => !isTaken(row)).length, 0),
    exactly('taken, but neither sent nor uncertain', takenBeyond(log, [...sent, ...uncertain]), 0),
    exactly('taken twice, of those that are sent', sent.filter(isTwice).length, 0),
    exactly('taken twice, of those that are uncertain', uncertain.filter(isTwice).length, 0),
    ...(await hands.judge(unsure, { cut: log.cut, messages: people - optedOut })),
    told('uncertain, and taken', uncertain.filter(isTaken).length),
    told('uncertain, and not taken', uncertain.filter((row) => !isTaken(row)).length),
    exactly('used of the allowance', rows.used, sent.length + uncertain.length),
  ];
}

const otherwise = (ledger: readonly Row[]): number =>
  ledger.filter(({ state, reason }) => state === 'failed' || (state === 'skipped' && reason !== 'opted_out'))
    .length;

function takenBeyond(log: SinkLog, rows: readonly Row[]): number {
  const known = new Set(rows.map(({ email }) => email));
  return [...log.taken.keys()].filter((address) => !known.has(address)).length;
}

async function readRows(url: string, broadcast: string): Promise<{ ledger: Row[]; used: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ledger = await client.query<Row>(
    `select d.id::text, p.primary_email as email, d.state, d.reason from deliveries d
     join people p on p.org_id = d.org_id and p.id = d.person_id where d.broadcast_id = $1`,
    [broadcast],
  );
  const beside = await client.query<{ used: number }>(
    'select coalesce(sum(used), 0)::int as used from allowance_uses',
  );
  await client.end();
  return { ledger: ledger.rows, ...beside.rows[0]! };
}
