import type { Work } from '../../../database/work.ts';
import type { PropertyType } from '../../properties/property-config.ts';
import { googleCalendarUrl, outlookCalendarUrl, type CalendarEntry } from '../calendar/calendar-links.ts';
import { personSources } from './person-sources.ts';
import { listed, type Listed, type Source, type TiedWebinar } from './source.ts';

type Type = Listed['type'];
type FromWebinar = Source & { readonly from: 'webinar' };

const aMoment = '2026-01-15T14:30:00.000Z';

/** What a message that is tied to a webinar can also read. */
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

/** Sources by path. */
export type Sources = ReadonlyMap<string, Source>;

/** What every variable of the organization can read now, by path: the person, its custom properties, the webinar. */
export async function readSources(work: Work): Promise<Sources> {
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

/** A source that does not depend on the organization's configs. */
export const builtInSource = (path: string): Source | undefined => builtIn.get(path);

const propertyPath = /^\{\{context\.root_context\.org_user\.custom_properties\.(\w+)\}\}$/;

/** The key of the custom property that a path names, whether it exists or not. */
export const propertyKey = (path: string): string | undefined => propertyPath.exec(path)?.[1];

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
