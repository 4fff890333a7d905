import { sql } from 'kysely';
import { holdSomeAlone } from '../../../database/hold-people.ts';
import type { Work } from '../../../database/work.ts';
import { bounceClass } from '../../delivery/ledger/bounce-class.ts';
import { domainOf } from '../../delivery/ledger/domain-of.ts';
import { noteBounce } from '../../delivery/inbound/note-bounce.ts';
import { holdLastTexts, optOutOfTexts } from '../../delivery/inbound/opt-out-of-texts.ts';
import type { HandOver } from '../../delivery/outgoing/outgoing.ts';
import { noteDeferral } from '../../delivery/ledger/receiving-domains.ts';
import { sentBy } from '../../delivery/ledger/sent-by.ts';
import { settleWindow, type Settled, type SettledRow } from '../../delivery/ledger/settle.ts';
import { writeEvents } from '../../timeline/write-events.ts';
import { giveBackAllowance } from '../../orgs/allowance.ts';
import { writeAudit } from '../../orgs/audit.ts';
import { folded } from '../../delivery/ledger/suppress-address.ts';
import { shareClock } from '../../waits/clock.ts';
import type { Recipient } from './check-window.ts';
import type { Run } from './run.ts';

/** The result of one window: the ledger updates, and the answers they follow from. */
export interface Outcome {
  readonly claim: string;
  readonly settled: readonly Settled[];
  readonly answers: ReadonlyMap<Recipient, HandOver>;
  /** What the messages went over. */
  readonly route: string;
}

/**
 * Records a window in one transaction: the ledger, the timeline, the history of emails, newly learned bounces and
 * opt-outs, and the unused allowance. Returns what it settled.
 */
export async function recordWindow(
  work: Work,
  run: Run,
  { claim, settled, answers, route }: Outcome,
): Promise<SettledRow[]> {
  // By domain, because rows of receiving domains are written in this order.
  const refused = [...answers]
    .filter(([, { outcome }]) => outcome === 'refused' || outcome === 'deferred')
    .toSorted(([a], [b]) => (domainOf(a.address) < domainOf(b.address) ? -1 : 1));
  const isEmail = run.draft.channel === 'email';
  const ids = settled.map(({ id }) => id);
  await holdPeople(work, answers, refused);
  await shareClock(work, work.org); // before the ledger: a workflow that listens for messages takes it later
  const optingOut = refused.flatMap(([{ person_id }, answer]) =>
    'optedOut' in answer && answer.optedOut === true ? person_id : [],
  );
  if (optingOut.length > 0) await holdLastTexts(work, optingOut, ids);
  const rows = await settleWindow(work, claim, settled);
  const took = new Map(rows.map((row) => [row.id, row]));
  // A row that was sent to again may have ended as before, whatever became of this try.
  const outcomeOf = new Map(settled.map(({ id, state }) => [id, state]));
  await recordSent(
    work,
    run,
    rows.flatMap(({ state, person_id }) => (state === 'sent' && person_id !== null ? person_id : [])),
  );
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
  await giveBackAllowance(work, run.draft.channel, rows.length - used);
  // The ledger itself records what was sent; the audit row is for the people it suppressed.
  if (Object.keys(work.touched).length > 0) await writeAudit(work, 'learn_from_refusals');
  return rows;
}

/**
 * Locks people before the ledger: those who may be suppressed `alone`, the others `staying`. A refused address may
 * belong to another person by now, who is suppressed as well.
 */
async function holdPeople(
  work: Work,
  answers: Outcome['answers'],
  refused: readonly (readonly [Recipient, HandOver])[],
): Promise<void> {
  const alone = new Set<string>(refused.map(([{ person_id }]) => person_id));
  const addresses = refused.map(([{ address }]) => folded(address));
  if (addresses.length > 0) {
    const { rows } = await sql<{ person_id: string }>`
      select person_id from identifiers
      where org_id = ${work.org} and type = 'email' and value = any(${addresses})`.execute(work.db);
    for (const { person_id } of rows) alone.add(person_id);
  }
  const people = [...answers.keys()].map(({ person_id }): string => person_id);
  await holdSomeAlone(work, [...people, ...alone], alone);
}

async function recordSent(work: Work, { draft, row }: Run, people: readonly string[]): Promise<void> {
  if (people.length === 0) return;
  const { org, now, db } = work;
  const isEmail = draft.channel === 'email';
  // A person may be in a window twice: a mailing has a message for each occasion.
  const there = sql`
    select p.id from unnest(${people}::uuid[]) t(id) join people p on p.org_id = ${org} and p.id = t.id`;
  await (
    isEmail
      ? sql`
        insert into sent_emails (org_id, id, person_id, subject, sent_at)
        select ${org}, new_id(${now}), t.id, ${draft.subject ?? ''}, ${now} from (${there}) t`
      : sql`
        insert into sent_messages (org_id, id, person_id, channel, sent_at)
        select ${org}, new_id(${now}), t.id, 'sms', ${now} from (${there}) t`
  ).execute(db);
  const custom_properties = { ...sentBy(row), ...(isEmail && { subject: draft.subject }) };
  const name = isEmail ? '$svc_email_sent' : '$svc_text_sent';
  await writeEvents(
    work,
    people.map((person_id) => ({ person_id, name, custom_properties, occurred_at: now })),
  );
}
