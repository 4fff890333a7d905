import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { writeAudit } from '../orgs/audit.ts';
import { holdMessages, type HeldMessage } from './hold-messages.ts';
import { noteFirstHits } from './note-first-hits.ts';
import { sumUp, type HumanHit, type SummedUp } from './sum-up-hits.ts';

/**
 * What human hits change: for each, when the person last opened and clicked; and once a message the ledger with its
 * totals, the person's engagement and timeline. The ledger is written last, because its totals are one row that others
 * wait for.
 */
export async function countHits(work: Work, hits: readonly HumanHit[]): Promise<void> {
  if (hits.length === 0) return;
  const sums = sumUp(hits);
  const held = await holdMessages(
    work,
    sums.map(({ delivery }) => delivery),
  );
  const messages = sums.flatMap((sum) => news(sum, held.get(sum.delivery)) ?? []);
  const known = messages.flatMap(({ person_id, ...rest }) =>
    person_id === undefined ? [] : { person_id, ...rest },
  );
  await noteLast(work, known);
  await noteFirstHits(
    work,
    known.flatMap(({ firstOpen: at, ...rest }) => (at === undefined ? [] : { ...rest, at })),
    known.flatMap(({ firstClick, ...rest }) => (firstClick === undefined ? [] : { ...rest, ...firstClick })),
  );
  await writeDown(
    work,
    messages.filter(({ firstOpen, firstClick }) => (firstOpen ?? firstClick) !== undefined),
  );
}

/** A message that was opened or clicked, and what of that is new. */
interface News extends SummedUp {
  readonly broadcast_id: string;
  readonly person_id: string | undefined;
  readonly firstOpen: Date | undefined;
  readonly firstClick: SummedUp['click'];
}

function news(sum: SummedUp, message: HeldMessage | undefined): News | undefined {
  if (message === undefined) return undefined;
  return {
    ...sum,
    broadcast_id: message.broadcast_id,
    person_id: message.person_id,
    firstOpen: message.opened_at === null ? sum.opened : undefined,
    firstClick: message.clicked_at === null ? sum.click : undefined,
  };
}

async function noteLast(
  { db, org }: Work,
  messages: readonly (News & { readonly person_id: string })[],
): Promise<void> {
  const last = messages.map(({ person_id, lastOpened: opened, lastClicked: clicked }) => ({
    person_id,
    opened,
    clicked,
  }));
  await sql`
    update people p set
      last_opened_at = greatest(p.last_opened_at, h.opened), last_clicked_at = greatest(p.last_clicked_at, h.clicked)
    from (
      select person_id, max(opened) as opened, max(clicked) as clicked
      from jsonb_to_recordset(${JSON.stringify(last)}::jsonb)
        as hit(person_id uuid, opened timestamptz, clicked timestamptz)
      group by person_id) h
    where p.org_id = ${org} and p.id = h.person_id`.execute(db);
}

async function writeDown(work: Work, messages: readonly News[]): Promise<void> {
  if (messages.length === 0) return;
  work.touched['broadcast_ids'] = [...new Set(messages.map(({ broadcast_id }) => broadcast_id))];
  await writeAudit(work, 'judge_hits');
  const moments = messages.map(({ delivery, opened, click }) => ({ delivery, opened, clicked: click?.at }));
  await sql`
    update deliveries d set
      opened_at = coalesce(d.opened_at, h.opened), clicked_at = coalesce(d.clicked_at, h.clicked)
    from jsonb_to_recordset(${JSON.stringify(moments)}::jsonb)
      as h(delivery bigint, opened timestamptz, clicked timestamptz)
    where d.org_id = ${work.org} and d.id = h.delivery`.execute(work.db);
}
