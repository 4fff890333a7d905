import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { writeAudit } from '../orgs/audit.ts';
import { engagementWeights, noteReading } from '../people/record/engagement.ts';
import { countClicks } from './count-clicks.ts';
import { holdMessages, type HeldMessage } from './hold-messages.ts';
import { noteFirstHits } from './note-first-hits.ts';
import { summarizeHits, type HumanHit, type HitSummary } from './summarize-hits.ts';

/**
 * Applies human hits: each updates when the person last opened and clicked; the first of a message also updates the
 * ledger with its totals, the person's engagement and timeline. The ledger follows the people, because its totals are
 * one row that other transactions wait for.
 */
export async function countHits(work: Work, hits: readonly HumanHit[]): Promise<void> {
  if (hits.length === 0) return;
  const sums = summarizeHits(hits);
  const held = await holdMessages(
    work,
    sums.map(({ delivery }) => delivery),
  );
  const messages = sums.flatMap((sum) => news(sum, held.get(sum.delivery)) ?? []);
  const known = messages.flatMap(({ person_id, ...rest }) =>
    person_id === undefined ? [] : { person_id, ...rest },
  );
  const opens = known.flatMap(({ firstOpen: at, ...rest }) => (at === undefined ? [] : { ...rest, at }));
  const clicks = known.flatMap(({ firstClick, ...rest }) =>
    firstClick === undefined ? [] : { ...rest, ...firstClick },
  );
  const readings = known.map(({ person_id, lastOpened: opened, lastClicked: clicked }) => ({
    person_id,
    opened,
    clicked,
  }));
  await noteReading(work, readings, [
    ...opens.map(({ person_id, at }) => ({ person_id, weight: engagementWeights.open, at })),
    ...clicks.map(({ person_id, at }) => ({ person_id, weight: engagementWeights.click, at })),
  ]);
  await noteFirstHits(work, opens, clicks);
  await writeDown(
    work,
    messages.filter(({ firstOpen, firstClick }) => (firstOpen ?? firstClick) !== undefined),
  );
  await countClicks(work, hits, held);
}

/** A message that was opened or clicked, and what of that is new. */
interface News extends HitSummary {
  readonly broadcast_id: string;
  readonly person_id: string | undefined;
  readonly firstOpen: Date | undefined;
  readonly firstClick: HitSummary['click'];
}

function news(sum: HitSummary, message: HeldMessage | undefined): News | undefined {
  if (message === undefined) return undefined;
  return {
    ...sum,
    broadcast_id: message.broadcast_id,
    person_id: message.person_id,
    firstOpen: message.opened_at === null ? sum.opened : undefined,
    firstClick: message.clicked_at === null ? sum.click : undefined,
  };
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
    where d.org_id = ${work.org} and d.id = h.delivery
      and d.id = any(${messages.map(({ delivery }) => delivery)}::bigint[])`.execute(work.db);
}
