import { sql } from 'kysely';
import { holdPeople } from '../../../database/hold-people.ts';
import type { Work } from '../../../database/work.ts';
import { bounceClass } from '../../delivery/ledger/bounce-class.ts';
import { domainOf } from '../../delivery/ledger/domain-of.ts';
import { noteBounce } from '../../delivery/inbound/note-bounce.ts';
import { holdLastTexts, optOutOfTexts } from '../../delivery/inbound/opt-out-of-texts.ts';
import type { HandOver } from '../../delivery/outgoing/outgoing.ts';
import { noteDeferral } from '../../delivery/ledger/receiving-domains.ts';
import { settleWindow, type Settled, type SettledRow } from '../../delivery/ledger/settle.ts';
import { giveBackAllowance } from '../../orgs/allowance.ts';
import { writeAudit } from '../../orgs/audit.ts';
import { folded } from '../../delivery/ledger/suppress-address.ts';
import { shareClock } from '../../waits/clock.ts';
import type { Recipient } from './check-window.ts';
import type { Run } from './run.ts';

/** The result of one window: the ledger updates, and the answers they follow from. */
export interface Outcome {
  readonly claim: string;
  /** Of this moment's month is the allowance that it was charged to. */
  readonly chargedAt: Date;
  readonly settled: readonly Settled[];
  readonly answers: ReadonlyMap<Recipient, HandOver>;
  /** What the messages went over. */
  readonly route: string;
}

/**
 * Records a window in one transaction: the ledger, newly learned bounces and opt-outs, and the unused allowance. Returns
 * what it settled.
 */
export async function recordWindow(
  work: Work,
  run: Run,
  { claim, chargedAt, settled, answers, route }: Outcome,
): Promise<SettledRow[]> {
  // By domain, because rows of receiving domains are written in this order.
  const refused = [...answers]
    .filter(([, { outcome }]) => outcome === 'refused' || outcome === 'deferred')
    .toSorted(([a], [b]) => (domainOf(a.address) < domainOf(b.address) ? -1 : 1));
  const isEmail = run.draft.channel === 'email';
  const ids = settled.map(({ id }) => id);
  if (refused.length > 0) {
    await holdRefused(work, refused);
    await shareClock(work, work.org); // before the ledger: a workflow that listens for bounces takes it later
  }
  const optingOut = refused.flatMap(([{ person_id }, answer]) =>
    'optedOut' in answer && answer.optedOut === true ? person_id : [],
  );
  if (optingOut.length > 0) await holdLastTexts(work, optingOut, ids);
  const rows = await settleWindow(work, claim, settled);
  const took = new Map(rows.map((row) => [row.id, row]));
  // A row that was sent to again may have ended as before, whatever became of this try.
  const outcomeOf = new Map(settled.map(({ id, state }) => [id, state]));
  for (const [{ id, address }, answer] of refused) {
    const row = took.get(id);
    if (row === undefined || !('code' in answer)) continue;
    if (answer.optedOut === true && row.person_id !== null) await optOutOfTexts(work, [row.person_id], ids);
    else if (!isEmail) continue;
    else if (outcomeOf.get(id) === 'failed') {
      await noteBounce(work, { delivery: id, bounceClass: bounceClass(answer), ...answer, duringSend: true });
    } else await noteDeferral(work, address, answer.code, answer.reply, route);
  }
  const used = rows.filter(({ id }) => ['sent', 'uncertain'].includes(outcomeOf.get(id) ?? '')).length;
  await giveBackAllowance({ ...work, now: chargedAt }, run.draft.channel, rows.length - used);
  // The ledger itself records what was sent; the audit row is for the people it suppressed.
  if (Object.keys(work.touched).length > 0) await writeAudit(work, 'learn_from_refusals');
  return rows;
}

/**
 * Locks people who may be suppressed, before the ledger. A refused address may belong to another person by now, who is
 * suppressed as well.
 */
async function holdRefused(work: Work, refused: readonly (readonly [Recipient, HandOver])[]): Promise<void> {
  const addresses = refused.map(([{ address }]) => folded(address));
  const { rows } = await sql<{ person_id: string }>`
    select person_id from identifiers
    where org_id = ${work.org} and type = 'email' and value = any(${addresses})`.execute(work.db);
  const people = [
    ...refused.map(([{ person_id }]): string => person_id),
    ...rows.map(({ person_id }) => person_id),
  ];
  await holdPeople(work, people, 'alone');
}
