import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { invalidRequest } from '../../../kernel/failure.ts';
import { newId, PlatformConnectionId, WebinarId } from '../../../kernel/ids.ts';
import { connectionNotFound } from '../platforms/connection.ts';
import { PlatformLink, readLink } from '../platforms/link.ts';
import { platformTimesMoved } from '../platforms/plan-syncs.ts';
import type { Platform } from '../platforms/platform.ts';
import { everyPlatform, platformOf } from '../platforms/registry.ts';
import { forgetPending, tellPushes } from '../platforms/request-push.ts';
import { holdTime, refuseCanceled } from './move-time.ts';
import { requireWebinar } from '../record/webinar.ts';

const longest = Math.max(...everyPlatform.map(([, { event }]) => event.longest));
const wordsOfAll = everyPlatform.map(([, { event }]) => event.words).join(', ');

export const linkWebinar = defineOperation({
  name: 'link_webinar',
  title: 'Link a webinar to a platform',
  summary:
    'Link a webinar to an event on a connected webinar platform. Whoever registers is then registered there too and gets ' +
    'a personal join link, also everybody who has registered so far; attendance is read from the platform about 30 ' +
    'minutes after the end. Linking it to another event begins anew.',
  permission: 'webinars.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PUT /v1/webinars/:webinar_id/platform'] },
  input: z.strictObject({
    webinar_id: WebinarId,
    connection_id: PlatformConnectionId,
    event_id: z.string().max(longest).describe(`The event's id on the platform: ${wordsOfAll}.`),
  }),
  output: z.object({ platform_link: PlatformLink }),
  handle: async (work, { webinar_id: asked, connection_id, event_id: sent }) => {
    const webinar_id = (await requireWebinar(work, asked)).id as WebinarId; // as stored, not as the caller spelled it
    const event_id = readEventId(await holdConnection(work, connection_id), sent);
    // Holds the webinar alone: a concurrent registration either sees the link or is pushed below.
    refuseCanceled(await holdTime(work, webinar_id));
    const before = await holdLink(work, webinar_id);
    const isSame = before?.connection_id === connection_id && before.event_id === event_id;
    if (!isSame) await link(work, { webinar_id, connection_id, event_id });
    return { platform_link: (await readLink(work, webinar_id))! };
  },
});

/** The event id as its platform writes it; throws the platform's own message for any other. */
function readEventId(platform: Platform, sent: string): string {
  const read = platform.event.schema.safeParse(sent);
  if (read.success) return read.data;
  const [{ code, message: detail }] = read.error.issues as [z.core.$ZodIssue];
  throw invalidRequest([{ pointer: '/event_id', code, detail }]);
}

/** Keeps the connection from being deleted until this is written. Returns its platform. */
async function holdConnection({ db, org }: Work, connection: PlatformConnectionId): Promise<Platform> {
  const found = await db
    .selectFrom('platform_connections')
    .select('platform')
    .where('org_id', '=', org)
    .where('id', '=', connection)
    .forKeyShare()
    .executeTakeFirst();
  if (found === undefined) throw connectionNotFound();
  return platformOf(found.platform);
}

const holdLink = ({ db, org }: Work, webinar: WebinarId) =>
  db
    .selectFrom('platform_links')
    .select(['connection_id', 'event_id'])
    .where('org_id', '=', org)
    .where('webinar_id', '=', webinar)
    .forUpdate()
    .executeTakeFirst();

interface Link {
  readonly webinar_id: WebinarId;
  readonly connection_id: PlatformConnectionId;
  readonly event_id: string;
}

const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * What an earlier event knew of the registrants says nothing about this one, so all are pushed. They may be many, and
 * none can register meanwhile, so the push finds them by push_after instead of marking them all here.
 */
async function link(work: Work, { webinar_id, connection_id, event_id }: Link): Promise<void> {
  const { db, org, now } = work;
  // Invalidates the ticket of a push for a former event. Tickets begin at the service's time, so that one from before
  // the webinar was unlinked never recurs.
  const ticket = work.caller.now.getTime();
  await sql`
    insert into platform_links as l
      (org_id, webinar_id, id, connection_id, event_id, linked_at, push_after, push_ticket, sync_ticket)
    values (${org}, ${webinar_id}, ${newId(now)}, ${connection_id}, ${event_id}, ${now}, ${beforeAll}, ${ticket}, ${ticket})
    on conflict (org_id, webinar_id) do update set id = excluded.id, push_after = excluded.push_after,
      connection_id = excluded.connection_id, event_id = excluded.event_id, linked_at = excluded.linked_at,
      push_ticket = l.push_ticket + 1, push_until = null, synced_at = null, sync_trouble = null,
      sync_strangers = 0`.execute(db);
  await forgetPending(work, webinar_id);
  await platformTimesMoved(work, webinar_id);
  await tellPushes(work, webinar_id);
  Object.assign(work.touched, { webinar_id, connection_id });
}
