import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { newId, type PersonId } from '../../../kernel/ids.ts';
import { trackLinks } from '../../content/body/track-links.ts';
import { saveLinks } from '../../delivery/outgoing/broadcast-links.ts';
import { nextIdIn } from '../../delivery/ledger/ledger-month.ts';
import { toColumns } from '../draft/accept-draft.ts';
import type { Draft } from '../draft/draft-input.ts';
import { emptyDraft } from '../draft/draft-of-row.ts';
import { wakeLanes } from './wake-lanes.ts';

/** What a workflow sends at one of its nodes, accepted and compiled. */
export type StepMessage = Pick<
  Draft,
  'channel' | 'subject' | 'preview_text' | 'html' | 'message_body' | 'body' | 'variables' | 'sender_id'
> & {
  /** It confirms a registration: an email has the webinar as a calendar file. */
  readonly is_confirmation?: true;
};

/** The messages of one node of a published workflow, for one webinar or for none. */
export interface Mailing {
  readonly workflow_id: string;
  readonly version: number;
  readonly node: string;
  readonly webinar_id: string | null;
  readonly message: StepMessage;
}

export interface Addressee {
  readonly person_id: PersonId;
  readonly run_id: string;
}

// From this number on, two lanes finish sooner than one.
const many = 128;

/** The recipients of a mailing. The caller locks them as `staying`: none is deleted or merged meanwhile. */
export interface Addressed {
  readonly mailing: Mailing;
  readonly to: readonly Addressee[];
}

/**
 * Adds people to mailings in the caller's transaction: their messages go out as soon as it commits. Mailings are locked
 * in the order of their ids, as in every transaction over several: a move of a test clock locks all lanes, and a merge
 * updates the totals of all that the person was in.
 */
export async function addToMailings(work: Work, all: readonly Addressed[]): Promise<void> {
  const known = [];
  for (const { mailing, to } of all) {
    if (to.length > 0) known.push({ ...((await find(work, mailing)) ?? (await make(work, mailing))), to });
  }
  for (const one of known.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await addTo(work, one);
}

/**
 * Locks the lanes before it adds anyone. So a lane that is about to end or to rest either did so already, and is woken
 * here, or waits for this commit and finds the new rows. A run whose message went out before the database went back gets
 * no other.
 */
async function addTo(
  work: Work,
  { id, pending, to }: { readonly id: string; readonly pending: number; readonly to: readonly Addressee[] },
): Promise<void> {
  const { db, org, now } = work;
  await wakeLanes(work, id, pending + to.length < many ? 1 : 2);
  await db
    .updateTable('broadcasts')
    .set({ status: 'sending', finished_at: null, updated_at: now })
    .where('org_id', '=', org)
    .where('id', '=', id)
    .where('status', '<>', 'sending')
    .execute();
  await sql`
    insert into deliveries (org_id, id, broadcast_id, person_id, run_id, state, due_at, added_at, occasion)
    select ${org}, ${nextIdIn(now)}, ${id}, person_id, run_id, 'pending', ${now}, ${now}, nextval('delivery_occasions')
    from unnest(${to.map(({ person_id }) => person_id)}::uuid[], ${to.map(({ run_id }) => run_id)}::uuid[])
      as t(person_id, run_id)
    where not exists (
      select 1 from deliveries d where d.org_id = ${org} and d.broadcast_id = ${id} and d.reason = 'record_lost'
        and d.person_id = t.person_id and d.run_id = t.run_id)`.execute(db);
}

const ofNode = ({ org }: Work, { workflow_id, version, node, webinar_id }: Mailing) => sql`
  org_id = ${org} and workflow_id = ${workflow_id} and workflow_version = ${version} and node = ${node}
  and coalesce(webinar_id, org_id) = ${webinar_id ?? org}`;

async function find(work: Work, mailing: Mailing): Promise<{ id: string; pending: number } | undefined> {
  const { rows } = await sql<{ id: string; pending: number }>`
    select id, pending from broadcasts where ${ofNode(work, mailing)}`.execute(work.db);
  return rows[0];
}

/** Creates a mailing as prepared: it has no audience to read. */
async function make(work: Work, mailing: Mailing): Promise<{ id: string; pending: number }> {
  const { db, org, now } = work;
  const { workflow_id, version, node, webinar_id } = mailing;
  const { is_confirmation, ...message } = mailing.message;
  const id = newId(now);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('broadcasts')
    .values({
      org_id: org,
      id,
      ...toColumns({ ...emptyDraft, ...message, audience: 'workflow', webinar_id }),
      // The sender may have been deleted since the workflow was published; the lanes then report what is missing.
      sender_id: sql<string | null>`(
        select id from senders where org_id = ${org} and id = ${message.sender_id} for key share)`,
      attaches_calendar: is_confirmation === true && message.channel === 'email' && webinar_id !== null,
      content_hash: null, // no plan warns that it was sent before
      workflow_id,
      workflow_version: version,
      node,
      status: 'sending',
      started_at: now,
      prepared_at: now,
      paced_over_hours: 0,
      created_by: JSON.stringify({ kind: 'service', id: 'workflow' }),
      created_at: now,
      updated_at: now,
    })
    // Another transaction may create it at the same moment; any other conflict must fail.
    .onConflict((conflict) =>
      conflict
        .expression(sql`org_id, workflow_id, workflow_version, node, (coalesce(webinar_id, org_id))`)
        .where('workflow_id', 'is not', null)
        .doNothing(),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return (await find(work, mailing))!;
  if (message.channel === 'email') await saveLinks(work, id, trackLinks(message.body?.pieces ?? []).links);
  return { id, pending: 0 };
}
