import { sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Moment, nowOutput } from '../../../kernel/moment.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { momentOf } from '../../waits/clock.ts';
import {
  phases,
  recordColumns,
  toWebinarRecord,
  WebinarRecord,
  webinarStatuses,
  type Phase,
} from '../record/webinar-record.ts';

export const listWebinars = defineOperation({
  name: 'list_webinars',
  title: 'List webinars',
  summary: 'Webinars, the latest start first. All filters sent must hold.',
  permission: 'webinars.read',
  effect: 'read',
  faces: { rest: ['GET /v1/webinars'], tool: true },
  input: z.strictObject({
    status: z.enum(webinarStatuses).optional(),
    phase: z.enum(phases).optional(),
    from: Moment.optional(),
    before: Moment.optional(),
    order: z.enum(['asc', 'desc']).default('desc'),
    ...pageInput,
  }),
  output: z.object({ webinars: z.array(WebinarRecord), ...pageOutput, ...nowOutput }),
  handle: async (work, { status, phase, from, before, order, limit, offset }) => {
    let webinars = work.db.selectFrom('webinars as t').where('t.org_id', '=', work.org);
    if (status !== undefined) webinars = webinars.where('t.status', '=', status);
    if (phase !== undefined) webinars = webinars.where(isIn(phase, work.now));
    if (from !== undefined) webinars = webinars.where('t.start_time', '>=', from);
    if (before !== undefined) webinars = webinars.where('t.start_time', '<', before);
    const { total } = await webinars.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    const rows = await webinars
      .select(recordColumns)
      .orderBy('t.start_time', order)
      .orderBy('t.id', order)
      .limit(limit)
      .offset(offset)
      .execute();
    return {
      webinars: rows.map((row) => toWebinarRecord(row, work.now)),
      total,
      limit,
      offset,
      now: work.now.toISOString(),
    };
  },
});

/** The same as the record's phase, asked of the rows. */
function isIn(phase: Phase, now: Date) {
  if (phase === 'upcoming') return sql<SqlBool>`t.start_time > ${now}`;
  const ended = sql<SqlBool>`${momentOf('end')} <= ${now}`;
  return phase === 'ended' ? ended : sql<SqlBool>`t.start_time <= ${now} and not (${ended})`;
}
