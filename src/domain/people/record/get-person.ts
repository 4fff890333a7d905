import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { personNotFound } from '../../identifiers/require-person.ts';
import { Person, toRecord, toSummary } from './person.ts';

type FullPerson = z.input<typeof Person>;

export const getPerson = defineOperation({
  name: 'get_person',
  title: 'Get a person',
  summary:
    "A person's full record: payments, engagement, custom properties, contact methods and team members.",
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id'], tool: true },
  input: z.strictObject({ person_id: PersonId }),
  output: z.object({ person: Person }),
  handle: async (work, { person_id }) => {
    const row = await readPerson(work, person_id);
    if (row === undefined) throw await personNotFound(work, person_id);
    const all = row.contact_methods;
    return {
      person: {
        ...toSummary(row, work),
        ...toRecord(row, work),
        custom_properties: row.custom_properties,
        contact_info: {
          primary:
            all.find((method) => method.is_primary && method.type === row.primary_contact_method) ?? null,
          all,
        },
        team_members: {
          primary_team_member: row.primary_team_member,
          all_assigned: row.assigned_team_members,
        },
        updated_at: row.updated_at.toISOString(),
      },
    };
  },
});

/** The person with its properties and contact methods, in one round trip. */
const readPerson = (work: Work, id: PersonId) =>
  work.db
    .selectFrom('people as p')
    .selectAll()
    .select([
      sql<FullPerson['custom_properties']>`coalesce((
        select json_object_agg(c.key, json_build_object('value',
          coalesce(to_json(v.text_value), to_json(v.number_value), to_json(v.boolean_value)), 'name', c.name, 'type', c.type))
        from property_values v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
        where v.org_id = p.org_id and v.person_id = p.id), '{}')`.as('custom_properties'),
      sql<FullPerson['contact_info']['all']>`coalesce((
        select json_agg(json_build_object('type', i.type, 'value', coalesce(i.typed, i.value), 'is_primary', i.is_primary_for_type)
          order by i.created_at, i.id)
        from identifiers i
        where i.org_id = p.org_id and i.person_id = p.id and i.is_contact_method), '[]')`.as(
        'contact_methods',
      ),
    ])
    .where('p.org_id', '=', work.org)
    .where('p.id', '=', id)
    .executeTakeFirst();
