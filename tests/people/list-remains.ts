import type pg from 'pg';

interface Rows {
  people: Record<string, unknown>[];
  identifiers: { person_id: string; type: string; value: string; primary: boolean; contact: boolean }[];
  values: { person_id: string; property: string; value: unknown }[];
  pages: { person_id: string; [cell: string]: unknown }[];
  optOuts: { person_id: string; email: boolean; sms: boolean }[];
  blacklist: { person_id: string; email: string; reason: string }[];
  redirects: { id: string; survivor_id: string }[];
  counted: number;
}

/** Everything that is said of the people of an organization, in one form whichever ids the new ones have. */
export async function readPeople(admin: Pick<pg.Pool, 'query'>, org: string, begun: Date): Promise<unknown> {
  const listOf = (select: string) => `coalesce((select json_agg(x) from (${select}) x), '[]')`;
  const { rows } = await admin.query<Rows>(
    `select
      ${listOf(`select id, first_name, last_name, primary_email, primary_phone, external_user_id,
        primary_contact_method, updated_at >= $2 as moved, created_at >= $2 as made from people where org_id = $1`)} as people,
      ${listOf(`select person_id, type, value, is_primary_for_type as primary, is_contact_method as contact
        from identifiers where org_id = $1 order by type, value`)} as identifiers,
      ${listOf(`select v.person_id, c.key as property,
        coalesce(to_jsonb(text_value), to_jsonb(number_value), to_jsonb(boolean_value)) as value
        from property_values v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
        where v.org_id = $1 order by c.key`)} as values,
      ${listOf('select p.* from property_pages p where org_id = $1 order by page')} as pages,
      ${listOf(`select person_id, email_opt_out as email, sms_opt_out as sms from opt_outs
        where org_id = $1`)} as "optOuts",
      ${listOf('select person_id, email, reason from email_blacklist where org_id = $1 order by email')} as blacklist,
      ${listOf('select id, survivor_id from merged_people where org_id = $1')} as redirects,
      (select coalesce(sum(step), 0)::int from people_counts where org_id = $1) as counted`,
    [org, begun],
  );
  const { people, counted, ...about } = rows[0]!;
  const of = <T extends { person_id: string }>(all: readonly T[], person: unknown) =>
    all.filter(({ person_id }) => person_id === person).map(sayings);
  const told = people.map(({ id, made, ...row }) => ({
    id: made === true ? 'new' : id,
    ...row,
    identifiers: of(about.identifiers, id),
    values: of(about.values, id),
    // A page without anything is as good as none.
    pages: of(about.pages, id).filter((page) => Object.keys(page).length > 1),
    optOuts: of(about.optOuts, id).filter(({ email, sms }) => email === true || sms === true),
    blacklist: of(about.blacklist, id),
    redirects: about.redirects
      .filter(({ survivor_id }) => survivor_id === id)
      .map((one) => (one.id.startsWith(known) ? one.id : 'new'))
      .toSorted(),
  }));
  const place = ({ identifiers, id }: (typeof told)[number]) => JSON.stringify([identifiers, id]);
  const sorted = told.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  return { people: sorted, counted };
}

/** What the ids of those who were there before begin with. */
export const known = '00000000-0000-4000-8000-';

const ownIds = new Set(['org_id', 'person_id']);

/** What a row says: not whose it is, nor what it is silent about. */
const sayings = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([key, value]) => value !== null && !ownIds.has(key)));
