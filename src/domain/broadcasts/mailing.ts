import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { newId, type PersonId } from '../../kernel/ids.ts';
import { trackLinks } from '../content/track-links.ts';
import { saveLinks } from '../delivery/broadcast-links.ts';
import { toColumns } from './accept-draft.ts';
import type { Draft } from './draft-input.ts';
import { emptyDraft } from './draft-of-row.ts';
import { wakeLanes } from './wake-lanes.ts';

/** What a workflow sends at one of its nodes, accepted and compiled. */
export type StepMessage = Pick<
  Draft,
  'channel' | 'subject' | 'preview_text' | 'html' | 'message_body' | 'body' | 'variables' | 'sender_id'
>;

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

// So many that two lanes are done with them sooner than one.
const many = 128;

/**
 * Adds people to a mailing, in the caller's transaction: their messages go out as soon as it is committed. Whoever
 * calls holds the people (for key share), so that none is deleted or merged meanwhile.
 *
 * The lanes are held before anybody is added. So a lane that is about to end or to rest either did that already, and is
 * woken here, or waits for this to be committed and finds the new rows.
 */
export async function addToMailing(work: Work, mailing: Mailing, to: readonly Addressee[]): Promise<void> {
  if (to.length === 0) return;
  const { db, org, now } = work;
  const { id, pending } = (await find(work, mailing)) ?? (await make(work, mailing));
  await wakeLanes(work, id, pending + to.length < many ? 1 : 2);
  await db
    .updateTable('broadcasts')
    .set({ status: 'sending', finished_at: null, updated_at: now })
    .where('org_id', '=', org)
    .where('id', '=', id)
    .where('status', '<>', 'sending')
    .execute();
  await sql`
    insert into deliveries (org_id, broadcast_id, person_id, run_id, state, due_at, added_at, occasion)
    select ${org}, ${id}, person_id, run_id, 'pending', ${now}, ${now}, nextval('delivery_occasions')
    from unnest(${to.map(({ person_id }) => person_id)}::uuid[], ${to.map(({ run_id }) => run_id)}::uuid[])
      as t(person_id, run_id)`.execute(db);
}

const ofNode = ({ org }: Work, { workflow_id, version, node, webinar_id }: Mailing) => sql`
  org_id = ${org} and workflow_id = ${workflow_id} and workflow_version = ${version} and node = ${node}
  and coalesce(webinar_id, org_id) = ${webinar_id ?? org}`;

async function find(work: Work, mailing: Mailing): Promise<{ id: string; pending: number } | undefined> {
  const { rows } = await sql<{ id: string; pending: number }>`
    select id, pending from broadcasts where ${ofNode(work, mailing)}`.execute(work.db);
  return rows[0];
}

/** Prepared from the beginning: there is no audience to read. */
async function make(work: Work, mailing: Mailing): Promise<{ id: string; pending: number }> {
  const { db, org, now } = work;
  const { workflow_id, version, node, webinar_id, message } = mailing;
  const id = newId(now);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('broadcasts')
    .values({
      org_id: org,
      id,
      ...toColumns({ ...emptyDraft, ...message, audience: 'workflow', webinar_id }),
      // A sender may be gone since the workflow was published; then the lanes say what is lacking.
      sender_id: sql<string | null>`(
        select id from senders where org_id = ${org} and id = ${message.sender_id} for key share)`,
      content_hash: null, // nobody is warned of having sent it before
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
    // Made by somebody else at the same moment; anything else that could be taken is no conflict to pass over.
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
