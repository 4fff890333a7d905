import type { Work } from '../../database/work.ts';
import { toMajor } from '../../kernel/money.ts';
import type { PropertyType } from '../properties/property-config.ts';
import { engagementScore } from '../segments/engagement-score.ts';
import { googleCalendarUrl, outlookCalendarUrl, type CalendarEntry } from './calendar-links.ts';
import {
  channels,
  type Listed,
  type NameParts,
  type PersonColumn,
  type PersonRow,
  type Source,
  type TiedWebinar,
} from './source.ts';

type Type = Listed['type'];
type FromPerson = Source & { readonly from: 'person' };
type FromWebinar = Source & { readonly from: 'webinar' };

const aMoment = '2026-01-15T14:30:00.000Z';

/** What can be read of the recipient, by the names that get_person has. */
const personSources: readonly Source[] = [
  name('first_name', 'First name', 'Ada', ['first_name'], (row) => ({ given: row.first_name, family: null })),
  name('last_name', 'Last name', 'Lovelace', ['last_name'], (row) => ({
    given: null,
    family: row.last_name,
  })),
  name('full_name', 'First and last name', 'Ada Lovelace', ['first_name', 'last_name'], (row) => ({
    given: row.first_name,
    family: row.last_name,
  })),
  person('primary_email', 'Email address', 'text', 'ada@example.com'),
  person('primary_phone', 'Phone number', 'text', '+15550100123'),
  person('external_user_id', 'External id', 'text', 'user-1001'),
  person('subscription_status', 'Subscription status', 'text', 'active'),
  person('payment_processor', 'Payment processor', 'text', 'processor_a'),
  money('mrr', 'Monthly recurring revenue', '49.99'),
  money('ltv', 'Lifetime value', '1200'),
  person('first_payment_date', 'First payment', 'date', aMoment),
  person('next_payment_date', 'Next payment', 'date', aMoment),
  person('cancels_at', 'Subscription ends', 'date', aMoment),
  score('email_engagement_score', 'Email engagement score', '72'),
  person('health_band', 'Health band', 'text', 'healthy'),
  person('last_opened_at', 'Last opened an email', 'date', aMoment),
  person('last_clicked_at', 'Last clicked a link', 'date', aMoment),
  person('last_replied_at', 'Last replied', 'date', aMoment),
  person('created_at', 'Known since', 'date', aMoment),
];

/** What a message that is tied to a webinar can read beside. */
const webinarSources: readonly Source[] = [
  webinar('webinar_title', 'Webinar title', 'text', 'Getting started', ({ title }) => title),
  webinar('webinar_start_time', 'Webinar start', 'date', aMoment, ({ start_time }) => start_time),
  webinar('join_url', 'Personal join link', 'url', 'https://example.com/join/ada', (_, { join }) => join),
  webinar(
    'registration_join_url',
    'Personal join link, or the fallback',
    'url',
    'https://example.com/join/ada',
    (_, { own }) => own,
  ),
  webinar(
    'google_calendar_url',
    'Add to Google Calendar',
    'url',
    'https://calendar.google.com/calendar/render?action=TEMPLATE',
    (tied, { join }) => googleCalendarUrl(entryOf(tied, join)),
  ),
  webinar(
    'outlook_calendar_url',
    'Add to Outlook',
    'url',
    'https://outlook.live.com/calendar/0/deeplink/compose?rru=addevent',
    (tied, { join }) => outlookCalendarUrl(entryOf(tied, join)),
  ),
  webinar(
    'calendar_file_url',
    'Add to any other calendar (.ics)',
    'url',
    'https://example.com/c/webinar.ics',
    (_, { calendarFile }) => calendarFile,
  ),
];

const builtIn = new Map([...personSources, ...webinarSources].map((source) => [source.path, source]));

/** What every variable of the organization can read now, by path: the person, its custom properties, the webinar. */
export async function readSources(work: Work): Promise<ReadonlyMap<string, Source>> {
  const configs = await work.db
    .selectFrom('property_configs')
    .select(['key', 'name', 'type'])
    .where('org_id', '=', work.org)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const properties = configs.map((config) => property(config.key, config.name, config.type as PropertyType));
  return new Map([...personSources, ...properties, ...webinarSources].map((source) => [source.path, source]));
}

/** A source that needs no look at the organization's configs. */
export const builtInSource = (path: string): Source | undefined => builtIn.get(path);

const propertyPath = /^\{\{context\.root_context\.org_user\.custom_properties\.(\w+)\}\}$/;

/** The key of the custom property that a path names, be there one or not. */
export const propertyKey = (path: string): string | undefined => propertyPath.exec(path)?.[1];

function listed(group: Listed['group'], field: string, label: string, type: Type, example: string): Listed {
  return {
    path: `{{context.root_context.${field}}}`,
    name: field.slice(field.lastIndexOf('.') + 1),
    label,
    group,
    type,
    channels,
    requires_webinar: group === 'webinar',
    example,
  };
}

function person(
  column: PersonColumn,
  label: string,
  type: Type,
  example: string,
  read: FromPerson['read'] = (row) => row[column],
): FromPerson {
  return {
    ...listed('person', `org_user.${column}`, label, type, example),
    from: 'person',
    columns: [column],
    read,
  };
}

function money(column: 'mrr' | 'ltv', label: string, example: string): FromPerson {
  return person(column, label, 'number', example, (row, currency) => toMajor(row[column], currency));
}

/** Kept as what it is made of, because it falls by itself. */
function score(field: string, label: string, example: string): FromPerson {
  return {
    ...listed('person', `org_user.${field}`, label, 'number', example),
    from: 'person',
    columns: ['engagement'],
    read: (row, _, now) => engagementScore(row.engagement, now),
  };
}

function name(
  field: string,
  label: string,
  example: string,
  columns: FromPerson['columns'],
  read: (row: PersonRow) => NameParts,
): FromPerson {
  const shown = listed('person', `org_user.${field}`, label, 'text', example);
  return { ...shown, from: 'person', columns, read, isName: true };
}

function property(key: string, label: string, is: PropertyType): Source {
  const type = is === 'string' ? 'text' : is;
  const example = { text: 'Gold', number: '42', boolean: 'true' }[type];
  const field = `org_user.custom_properties.${key}`;
  return { ...listed('custom_properties', field, label, type, example), from: 'property', key };
}

function webinar(
  field: string,
  label: string,
  type: Type,
  example: string,
  read: FromWebinar['read'],
): FromWebinar {
  return { ...listed('webinar', field, label, type, example), from: 'webinar', read };
}

function entryOf(tied: TiedWebinar, joinUrl: string | null): CalendarEntry {
  return { title: tied.title, start: tied.start_time, minutes: tied.duration_minutes, joinUrl };
}
