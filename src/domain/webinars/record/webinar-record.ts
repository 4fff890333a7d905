import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Webinars } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { WebinarId, WorkflowId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { webinarNotFound } from './webinar.ts';

export const webinarStatuses = ['draft', 'scheduled', 'canceled'] as const;
export const phases = ['upcoming', 'live', 'ended'] as const;
export type Phase = (typeof phases)[number];

/** A webinar as callers see it. */
export const WebinarRecord = z
  .object({
    id: WebinarId,
    title: z.string(),
    start_time: MomentOut,
    timezone: z.string().nullable(),
    duration_minutes: z.number().nullable(),
    join_url: z.string().nullable(),
    provider: z.string().nullable(),
    status: z.enum(webinarStatuses),
    automation_id: WorkflowId.nullable(),
    created_at: MomentOut,
    updated_at: MomentOut,
    phase: z
      .enum(phases)
      .describe(
        'Told by the clock: one of unknown length is taken to last 60 minutes. Says nothing of the status.',
      ),
  })
  .meta({ id: 'Webinar' });

export const recordColumns = [
  'id',
  'title',
  'start_time',
  'timezone',
  'duration_minutes',
  'join_url',
  'provider',
  'status',
  'automation_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Webinars)[];

type RecordRow = Pick<Selectable<Webinars>, (typeof recordColumns)[number]>;

export const toWebinarRecord = (row: RecordRow, now: Date): z.input<typeof WebinarRecord> => ({
  id: row.id as WebinarId,
  title: row.title,
  start_time: row.start_time.toISOString(),
  timezone: row.timezone,
  duration_minutes: row.duration_minutes,
  join_url: row.join_url,
  provider: row.provider,
  status: row.status as (typeof webinarStatuses)[number],
  automation_id: row.automation_id as WorkflowId | null,
  created_at: row.created_at.toISOString(),
  updated_at: (row.updated_at ?? row.created_at).toISOString(),
  phase: phaseOf(row, now),
});

/** The assumed length of a webinar without a duration, as in waits and calendar entries. */
const minutesUnlessSaid = 60;

function phaseOf({ start_time, duration_minutes }: RecordRow, now: Date): Phase {
  const start = start_time.getTime();
  if (now.getTime() < start) return 'upcoming';
  return now.getTime() < start + (duration_minutes ?? minutesUnlessSaid) * 60_000 ? 'live' : 'ended';
}

export async function readWebinarRecord(work: Work, id: WebinarId): Promise<z.input<typeof WebinarRecord>> {
  const row = await work.db
    .selectFrom('webinars')
    .select(recordColumns)
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw webinarNotFound();
  return toWebinarRecord(row, work.now);
}
