import { sql, type NotNull } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { fromColumns, type PropertyScalar } from '../../properties/property-value.ts';
import { calendarFileUrl } from '../calendar/calendar-file-url.ts';
import type { Variables } from './definition.ts';
import { wrongWithLink } from '../../../kernel/link.ts';
import type { Occasion } from './read-date.ts';
import { renderValue } from './render-value.ts';
import type { PersonColumn, PersonRow, TiedWebinar, Value } from './source.ts';
import { builtInSource, propertyKey } from './sources.ts';
import { isForLinks } from '../body/template-syntax.ts';

/**
 * The value of each placeholder for each of up to 500 people, in at most three queries for any set of variables. Every
 * person asked about has an entry; one who is gone gets the fallbacks. A value is plain text: braces in it must never
 * be read as placeholders.
 */
export async function readValues(
  work: Work,
  personIds: readonly PersonId[],
  variables: Variables,
  webinar: TiedWebinar | undefined,
  moment: Occasion,
): Promise<Map<PersonId, Map<string, string>>> {
  const used = Object.entries(variables).map(([name, definition]) => ({
    name,
    definition,
    source: builtInSource(definition.variable),
    key: propertyKey(definition.variable),
  }));
  const people = await readColumns(
    work,
    personIds,
    used.flatMap(({ source }) => (source?.from === 'person' ? source.columns : [])),
  );
  const properties = await readProperties(
    work,
    personIds,
    used.flatMap(({ key }) => key ?? []),
  );
  const asksWebinar = used.some(({ source }) => source?.from === 'webinar');
  const links = await readLinks(work, personIds, asksWebinar ? webinar : undefined);

  const valueOf = (id: PersonId, { source, key }: (typeof used)[number]): Value => {
    if (key !== undefined) return properties.get(id)?.get(key);
    if (source?.from === 'webinar') {
      const own = links.get(id) ?? null;
      return (
        webinar &&
        source.read(webinar, {
          join: own ?? (webinar.join_url || null),
          own,
          get calendarFile() {
            return calendarFileUrl(work, { webinar: webinar.id, person: id });
          },
        })
      );
    }
    const row = people.get(id);
    return source?.from === 'person' && row !== undefined
      ? source.read(row, work.caller.currency, moment.now)
      : undefined;
  };
  const inWebinarZone = { ...moment, zone: webinar?.timezone ?? moment.zone };
  const textOf = (id: PersonId, one: (typeof used)[number]): string => {
    const occasion = one.source?.from === 'webinar' ? inWebinarZone : moment;
    const text = renderValue(valueOf(id, one), one.definition, occasion);
    // A custom property may hold any text; one that is no link counts as no value.
    const usable = !isForLinks(one.name) || wrongWithLink(text.trim()) === undefined;
    return usable ? text : one.definition.fallback;
  };
  return new Map(personIds.map((id) => [id, new Map(used.map((one) => [one.name, textOf(id, one)]))]));
}

/** One parameter however many there are: a list of as many takes longer to write and to parse than to look up. */
const anyOf = (ids: readonly PersonId[]) => sql<PersonId>`any(${ids}::uuid[])`;

async function readColumns(
  work: Work,
  ids: readonly PersonId[],
  columns: readonly PersonColumn[],
): Promise<Map<string, PersonRow>> {
  if (columns.length === 0 || ids.length === 0) return new Map();
  const rows = await work.db
    .selectFrom('people')
    .select(['id', ...new Set(columns)])
    .where('org_id', '=', work.org)
    .where('id', '=', anyOf(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row as PersonRow])); // each source reads the columns it asked for
}

/** By person and key. Values of a config that was deleted are gone with it. */
async function readProperties(
  work: Work,
  ids: readonly PersonId[],
  keys: readonly string[],
): Promise<Map<string, Map<string, PropertyScalar | null>>> {
  const byPerson = new Map(ids.map((id): [string, Map<string, PropertyScalar | null>] => [id, new Map()]));
  if (keys.length === 0 || ids.length === 0) return byPerson;
  const rows = await work.db
    .selectFrom('property_values as v')
    .innerJoin('property_configs as c', (join) =>
      join.onRef('c.org_id', '=', 'v.org_id').onRef('c.id', '=', 'v.config_id'),
    )
    .select(['v.person_id', 'c.key', 'v.text_value', 'v.number_value', 'v.boolean_value'])
    .where('v.org_id', '=', work.org)
    .where('v.person_id', '=', anyOf(ids))
    .where('c.key', 'in', [...new Set(keys)])
    .execute();
  for (const row of rows) byPerson.get(row.person_id)?.set(row.key, fromColumns(row));
  return byPerson;
}

/** The personal links of those who are registered and have one. */
async function readLinks(
  work: Work,
  ids: readonly PersonId[],
  webinar: TiedWebinar | undefined,
): Promise<Map<string, string>> {
  if (webinar === undefined || ids.length === 0) return new Map();
  const rows = await work.db
    .selectFrom('registrations')
    .select(['person_id', 'join_url'])
    .where('org_id', '=', work.org)
    .where('webinar_id', '=', webinar.id)
    .where('person_id', '=', anyOf(ids))
    .where('join_url', '<>', '')
    .$narrowType<{ join_url: NotNull }>()
    .execute();
  return new Map(rows.map(({ person_id, join_url }) => [person_id, join_url]));
}
