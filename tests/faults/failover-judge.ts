import { atMost, exactly, told, type Figure } from '../../benches/support/figure.ts';
import { onDatabase } from './broadcast-setting.ts';
import type { Stage } from './broadcast-stage.ts';

interface Row {
  readonly email: string;
  readonly state: string;
  readonly reason: string | null;
}

export interface Deaths {
  readonly deaths: number;
  /** Messages taken while the standby lagged, over all deaths. */
  readonly unsure: number;
}

/** Two lanes may have noted a window each that was not handed over, or whose claim alone the standby had heard of. */
const inHand = 2 * 2 * 64;

/** The ledger against the log of the mail server, which is the truth. */
export async function judgeFailover(
  { postgres, sink, people, optedOut }: Stage,
  broadcast: string,
  { deaths, unsure }: Deaths,
): Promise<Figure[]> {
  const { taken } = await sink.readLog();
  const { rows } = await onDatabase(postgres.url, (client) =>
    client.query<Row>(
      `select p.primary_email as email, d.state, d.reason from deliveries d
       join people p on p.org_id = d.org_id and p.id = d.person_id where d.broadcast_id = $1`,
      [broadcast],
    ),
  );
  const totals = await onDatabase(postgres.url, (client) =>
    client.query<{ status: string; sent: number; uncertain: number }>(
      'select status, sent::int, uncertain::int from broadcasts where id = $1',
      [broadcast],
    ),
  );
  const of = (state: string) => rows.filter((row) => row.state === state);
  const [sent, uncertain] = [of('sent'), of('uncertain')];
  const known = new Set([...sent, ...uncertain].map(({ email }) => email));
  const reasons = (reason: string) => uncertain.filter((row) => row.reason === reason).length;
  return [
    exactly('people sent to twice', [...taken.values()].filter((times) => times > 1).length, 0),
    exactly('lost: sent, but never taken', sent.filter(({ email }) => !taken.has(email)).length, 0),
    exactly(
      'taken, but neither sent nor uncertain',
      [...taken.keys()].filter((one) => !known.has(one)).length,
      0,
    ),
    exactly('sent, uncertain or opted out', sent.length + uncertain.length + optedOut, people),
    exactly('broadcasts that ended as sent', Number(totals.rows[0]?.status === 'sent'), 1),
    exactly('sent, by the totals', totals.rows[0]?.sent ?? 0, sent.length),
    exactly('uncertain, by the totals', totals.rows[0]?.uncertain ?? 0, uncertain.length),
    told('  because the database had lost their records', reasons('record_lost')),
    told('  because they were in hand', reasons('interrupted')),
    told('  and not taken', uncertain.filter(({ email }) => !taken.has(email)).length),
    atMost('uncertain, of those handed over in the lag', uncertain.length, unsure + deaths * inHand, 1),
  ];
}
