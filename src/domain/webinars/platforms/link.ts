import { sql } from 'kysely';
import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { PlatformConnectionId, type WebinarId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { PlatformName } from './registry.ts';

export const PlatformLink = z
  .object({
    platform: PlatformName,
    connection_id: PlatformConnectionId,
    event_id: z.string(),
    linked_at: MomentOut,
    registrants: z
      .object({ pending: z.int(), registered: z.int(), refused: z.int() })
      .describe('How many the platform is still to be told of, knows, and did not take.'),
    attendance: z.object({
      next_sync_at: MomentOut.nullable().describe('When the participants report is read next.'),
      synced_at: MomentOut.nullable().describe('When it was last read to its end.'),
      strangers: z.int().describe('Rows of that report of people who are not registered here.'),
      trouble: z.string().nullable().describe('Why it could not be read the last time.'),
    }),
  })
  .meta({ id: 'PlatformLink' });

/** A webinar's link as callers see it, counted now. */
export async function readLink(
  work: Work,
  webinar: WebinarId,
): Promise<z.input<typeof PlatformLink> | undefined> {
  const link = await work.db
    .selectFrom('platform_links as l')
    .innerJoin('platform_connections as c', (join) =>
      join.onRef('c.org_id', '=', 'l.org_id').onRef('c.id', '=', 'l.connection_id'),
    )
    .selectAll('l')
    .select('c.platform')
    .where('l.org_id', '=', work.org)
    .where('l.webinar_id', '=', webinar)
    .executeTakeFirst();
  if (link === undefined) return undefined;
  const { rows } = await sql<{ pending: number; registered: number; refused: number }>`
    select count(*) filter (where push_state = 'pending' or push_link is distinct from ${link.id}) as pending,
      count(*) filter (where push_state = 'registered' and push_link = ${link.id}) as registered,
      count(*) filter (where push_state = 'refused' and push_link = ${link.id}) as refused
    from registrations where org_id = ${work.org} and webinar_id = ${webinar}`.execute(work.db);
  return {
    platform: PlatformName.parse(link.platform),
    connection_id: link.connection_id as PlatformConnectionId,
    event_id: link.event_id,
    linked_at: link.linked_at.toISOString(),
    registrants: rows[0]!,
    attendance: {
      next_sync_at: outgoing(link.sync_at),
      synced_at: outgoing(link.synced_at),
      strangers: link.sync_strangers,
      trouble: link.sync_trouble,
    },
  };
}

export const notLinked = (): Failure =>
  new Failure('not_found', 'This webinar is not linked to an event on a platform.');
