import { newId } from '../../src/kernel/ids.ts';
import type { Measured } from './calls.ts';
import type { Statement } from './record-sql.ts';

// The least SQL that answers each call, one statement for each, written without looking at ours: the server that repeats
// our own statements would repeat a needless one, too. It runs in the same transaction and as the same role as ours.

/** `ours` is what the operation sent, BEGIN and COMMIT among it. */
export function byHand(call: Measured, org: string, ours: readonly Statement[]): Statement[] {
  const [begin, commit] = [ours[0]!, ours.at(-1)!];
  const { sample, name } = call;
  if (name === 'get') return [begin, { sql: get, parameters: [org, sample['person_id']] }, commit];
  if (name === 'identify known') {
    const parameters = [org, sample['phone'], sample['external_user_id']];
    return [begin, { sql: identifyKnown, parameters }, commit];
  }
  if (name === 'identify new') {
    const parameters = [org, newId(new Date()), sample['email'], sample['external_user_id']];
    return [begin, { sql: identifyNew, parameters }, commit];
  }
  // As the owner: behind the wall LIKE may use no index, and nobody would write our function just to ask.
  if (name.startsWith('search'))
    return [
      { sql: 'begin read only', parameters: [] },
      { sql: search, parameters: [org, `%${sample['query']}%`] },
      { sql: 'commit', parameters: [] },
    ];
  const { sort, offset = 0 } = call.fixed as { sort: string; offset?: number };
  return [begin, { sql: list(sort), parameters: [org, offset] }, commit];
}

const summary = `id, first_name, last_name, primary_email, primary_phone, external_user_id, subscription_status,
  payment_processor, mrr, ltv, created_at`;

const get = `
  select p.*,
    (select json_agg(json_build_object('type', type, 'value', value, 'is_primary', is_primary_for_type))
      from identifiers where org_id = $1 and person_id = $2 and is_contact_method) as contact_methods,
    (select json_agg(json_build_object('key', key, 'name', name, 'type', type, 'text', text_value,
        'number', number_value, 'boolean', boolean_value))
      from property_values v join property_configs c on c.org_id = $1 and c.id = v.config_id
      where v.org_id = $1 and v.person_id = $2) as custom_properties
  from people p where org_id = $1 and id = $2`;

const identifyKnown = `
  select person_id from identifiers
  where org_id = $1 and (type = 'phone' and value = $2 or type = 'org_assigned_user_id' and value = $3)`;

const identifyNew = `
  with known as (
    select person_id from identifiers
    where org_id = $1 and (type = 'email' and value = $3 or type = 'org_assigned_user_id' and value = $4)),
  person as (
    insert into people (org_id, id, primary_email, external_user_id, primary_contact_method, created_at, updated_at)
    select $1, $2, $3, $4, 'email', now(), now() where not exists (select from known) returning id),
  attached as (
    insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
    select $1, new_id(now()), person.id, type, value, type = 'email', true, now()
    from person, (values ('email', $3::text), ('org_assigned_user_id', $4::text)) sent(type, value)),
  remembered as (
    insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
    select $1, person.id, true, false, now() from person join suppressed_addresses s
      on s.org_id = $1 and s.channel = 'email' and s.address_hash = sha256($3::text::bytea)),
  audited as (
    insert into audit_log (org_id, id, at, request_id, actor_kind, actor_id, face, operation, ids)
    select $1, new_id(now()), now(), 'bench', 'api_key', '', 'rest', 'identify_person',
      json_build_object('person_id', id) from person)
  select id from person`.trim();

const search = `
  select ${summary} from people
  where org_id = $1 and id in (select person_id from identifiers where org_id = $1 and folded like $2 limit 50)`;

const list = (sort: string): string => `
  select ${summary}, (select sum(step) from people_counts where org_id = $1) as total
  from people where org_id = $1 order by ${sort} desc nulls last, id desc limit 50 offset $2`;
