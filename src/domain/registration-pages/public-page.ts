import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import type { Work } from '../../database/work.ts';
import { OrgId } from '../../kernel/ids.ts';
import type { CalendarEvent } from '../content/calendar/calendar-file.ts';
import type { Layout } from '../content/body/layout.ts';
import { asService } from '../orgs/as-service.ts';
import { readLayout } from '../senders/email-layout.ts';
import { findSlug } from './choose-slug.ts';
import { showFields, type ShownField } from './page-field.ts';
import { fieldsOf, findPage } from './registration-page.ts';

/** Only an open page takes registrations. `resting`: the organization is suspended. */
export type PageState = 'open' | 'unpublished' | 'draft' | 'canceled' | 'ended' | 'resting';

/** What a visitor may see of a webinar. It holds no link to join by: that is sent to whoever registered. */
export interface PublicPage {
  readonly org: OrgId;
  readonly mode: 'live' | 'test';
  readonly currency: string;
  readonly webinarId: string;
  readonly slug: string;
  readonly state: PageState;
  readonly organization: string;
  readonly zone: string;
  readonly event: CalendarEvent;
  readonly description: string;
  readonly fields: readonly ShownField[];
  readonly consentText: string | null;
  readonly frameOrigins: readonly string[];
  readonly layout: Layout;
}

/** The page at an address as it is now; undefined when there is none. */
export async function readPublicPage(
  database: Database,
  parts: ServiceParts,
  slug: string,
  asked: { readonly now: Date; readonly requestId: string },
): Promise<PublicPage | undefined> {
  const found = await findSlug({ db: database }, slug);
  if (found === undefined) return undefined;
  const org = OrgId.parse(found.org_id);
  return asService(database, parts, { ...asked, org, actor: 'registration_page' }, (work) =>
    readPage(work, found.webinar_id),
  );
}

async function readPage(work: Work, webinarId: string): Promise<PublicPage | undefined> {
  const { db, org } = work;
  const page = await findPage(work, webinarId);
  const found = await db
    .selectFrom('webinars as w')
    .innerJoin('organizations as o', 'o.id', 'w.org_id')
    .select(['w.title', 'w.start_time', 'w.duration_minutes', 'w.status', 'w.revision', 'w.timezone'])
    .select(['w.created_at', 'w.updated_at', 'o.name', 'o.timezone as own_zone'])
    .where('w.org_id', '=', org)
    .where('w.id', '=', webinarId)
    .executeTakeFirst();
  if (page === undefined || found === undefined) return undefined;
  const layout = await readLayout(work);
  const event: CalendarEvent = {
    id: webinarId,
    title: found.title,
    start: found.start_time,
    minutes: found.duration_minutes,
    joinUrl: null,
    sequence: found.revision - 1,
    changedAt: found.updated_at ?? found.created_at,
    isCanceled: found.status === 'canceled',
  };
  return {
    org,
    mode: work.caller.mode,
    currency: work.caller.currency,
    webinarId,
    slug: page.slug,
    state: stateOf(work, page.published, found.status, event),
    organization: layout.company_name ?? found.name,
    zone: found.timezone ?? found.own_zone,
    event,
    description: page.description,
    fields: await showFields(work, fieldsOf(page)),
    consentText: page.consent_text,
    frameOrigins: page.frame_origins,
    layout,
  };
}

function stateOf(
  { now, caller }: Work,
  published: boolean,
  status: string,
  { start, minutes }: CalendarEvent,
): PageState {
  if (!published) return 'unpublished';
  if (status === 'canceled') return 'canceled';
  if (now.getTime() >= start.getTime() + (minutes ?? 60) * 60_000) return 'ended';
  if (caller.suspended !== undefined) return 'resting';
  return status === 'draft' ? 'draft' : 'open';
}
