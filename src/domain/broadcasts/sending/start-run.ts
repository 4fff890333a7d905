import { addToOutbox } from '../../../database/outbox.ts';
import { serviceWork } from '../../../database/service-work.ts';
import type { Work } from '../../../database/work.ts';
import type { BroadcastId } from '../../../kernel/ids.ts';
import { saveLinks } from '../../delivery/outgoing/broadcast-links.ts';
import type { StartDelivery } from './begin-sending.ts';
import { requireBroadcast } from '../draft/broadcast-rows.ts';
import { hasChangedBeyond } from '../plan/audience-change.ts';
import { countRecipients } from '../plan/count-audience.ts';
import { readRun, type Run, type RunParts } from './run.ts';

/** Begins a run, unless its audience changed too much since it was planned: numbers its links, opens its first lane and notifies the engine. */
export const startRun =
  (parts: Pick<RunParts, 'keys' | 'mail' | 'providers'>): StartDelivery =>
  async (db, { org_id: org, broadcast_id }, now) => {
    const { mode, currency } = await db
      .selectFrom('organizations')
      .select(['mode', 'currency'])
      .where('id', '=', org)
      .executeTakeFirstOrThrow();
    const about = { db, org, now, mode: mode as 'live' | 'test', currency };
    const work = serviceWork(parts, { ...about, actor: 'broadcast_start', requestId: broadcast_id });
    const read = await readRun(
      work,
      await requireBroadcast(work, broadcast_id as BroadcastId),
      parts.providers,
    );
    if ('problem' in read) return read;
    const counted = await countIfChanged(work, read.run);
    if (counted !== undefined) return { counted };
    if (read.run.draft.channel === 'email') await saveLinks(work, broadcast_id, read.run.links);
    await openLane(work, broadcast_id, 0);
    return undefined;
  };

/** How many are in the audience, if that differs too much from the planned count; undefined if it does not. */
async function countIfChanged(work: Work, { row, audience }: Run): Promise<number | undefined> {
  const { hold_if_audience_changes_by: percent, planned_recipients: planned } = row;
  if (percent === null || planned === null) return undefined;
  const counted = await countRecipients(work, audience);
  return hasChangedBeyond(percent, planned, counted) ? counted : undefined;
}

/** Opens a lane and notifies the engine, which starts it. `ticket` is its first, 1 unless it is said. */
export async function openLane(
  work: Work,
  broadcast_id: string,
  lane: number,
  ticket?: number,
): Promise<void> {
  await work.db
    .insertInto('delivery_lanes')
    .values({
      org_id: work.org,
      broadcast_id,
      lane,
      next_at: work.now,
      ...(ticket !== undefined && { ticket }),
    })
    .execute();
  await tellLane(work, broadcast_id, lane);
}

export const tellLane = (work: Work, broadcast_id: string, lane: number): Promise<void> =>
  addToOutbox(work, 'BroadcastRun', { lane: `${broadcast_id}/${lane}` });
