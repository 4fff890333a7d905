import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { bounceClass } from '../delivery/bounce-class.ts';
import { domainOf } from '../delivery/domain-of.ts';
import { noteBounce } from '../delivery/note-bounce.ts';
import { optOutOfTexts } from '../delivery/opt-out-of-texts.ts';
import type { HandOver } from '../delivery/outgoing.ts';
import { noteDeferral } from '../delivery/receiving-domains.ts';
import { sentBy } from '../delivery/sent-by.ts';
import { settleWindow, type Settled } from '../delivery/settle.ts';
import { recordEvents } from '../events/record-events.ts';
import { giveBackAllowance } from '../orgs/allowance.ts';
import { writeAudit } from '../orgs/audit.ts';
import type { Recipient } from './check-window.ts';
import type { Run } from './run.ts';

/** What came of one window: what goes into the ledger, and the answers it follows from. */
export interface Outcome {
  readonly claim: string;
  readonly settled: readonly Settled[];
  readonly answers: ReadonlyMap<Recipient, HandOver>;
}

/**
 * Records a window in one transaction: the ledger, the timeline, the history of emails, bounces and opt-outs that were
 * learned of, and what was not used of the allowance.
 */
export async function recordWindow(
  work: Work,
  run: Run,
  { claim, settled, answers }: Outcome,
): Promise<void> {
  // By domain, because the rows of receiving domains are written in this order.
  const refused = [...answers]
    .filter(([, { outcome }]) => outcome === 'refused' || outcome === 'deferred')
    .toSorted(([a], [b]) => (domainOf(a.address) < domainOf(b.address) ? -1 : 1));
  const isEmail = run.draft.channel === 'email';
  await holdPeople(work, answers, new Set(refused.map(([{ person_id }]) => person_id)));
  const rows = await settleWindow(work, claim, settled);
  const took = new Map(rows.map((row) => [row.id, row]));
  await recordSent(
    work,
    run,
    rows.flatMap(({ state, person_id }) => (state === 'sent' && person_id !== null ? person_id : [])),
  );
  for (const [{ id, address }, answer] of refused) {
    const row = took.get(id);
    if (row === undefined || !('code' in answer)) continue;
    if (answer.optedOut === true && row.person_id !== null) await optOutOfTexts(work, [row.person_id]);
    else if (!isEmail) continue;
    else if (row.state === 'failed') {
      await noteBounce(work, { delivery: id, bounceClass: bounceClass(answer), ...answer, duringSend: true });
    } else await noteDeferral(work, address, answer.code, answer.reply);
  }
  const used = rows.filter(({ state }) => state === 'sent' || state === 'uncertain').length;
  await giveBackAllowance(work, run.draft.channel, rows.length - used);
  // The ledger itself says what was sent; this is for whom it suppressed.
  if (Object.keys(work.touched).length > 0) await writeAudit(work, 'learn_from_refusals');
}

/** People before the ledger, as everybody does: whoever may be suppressed alone, the others so that they stay. */
async function holdPeople(
  { db, org }: Work,
  answers: Outcome['answers'],
  alone: ReadonlySet<string>,
): Promise<void> {
  const others = [...answers.keys()].map(({ person_id }) => person_id).filter((id) => !alone.has(id));
  for (const [ids, lock] of [
    [[...alone], sql`for update`],
    [others, sql`for key share`],
  ] as const) {
    if (ids.length === 0) continue;
    await sql`select 1 from people where org_id = ${org} and id = any(${ids}::uuid[]) order by id ${lock}`.execute(
      db,
    );
  }
}

async function recordSent(work: Work, { draft, row }: Run, people: readonly string[]): Promise<void> {
  if (people.length === 0) return;
  const { org, now, db } = work;
  const isEmail = draft.channel === 'email';
  // Somebody may be in a window twice: a mailing has a message for each occasion.
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
  await recordEvents(
    work,
    people.map((person_id) => ({ person_id, name, custom_properties, occurred_at: now })),
  );
}
