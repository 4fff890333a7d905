import type { Statement } from '../people/record-sql.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Registrant } from './registrants.ts';

/**
 * Registering in the least SQL, one statement that holds whatever it finds: nobody, somebody, or somebody who is
 * registered. In our own BEGIN and COMMIT, so as the same role. Written without looking at ours: the server that
 * repeats our statements would repeat a needless one, too.
 */
export function registerByHand({ input }: Registrant, org: string, ours: readonly Statement[]): Statement[] {
  const { webinar_id, email, first_name = null, last_name = null } = input;
  const parameters = [org, webinar_id, email, newId(new Date()), first_name, last_name];
  return [ours[0]!, { sql: register, parameters }, ours.at(-1)!];
}

const register = `
  with webinar as (
    select id, start_time, join_url from webinars where org_id = $1 and id = $2 and status <> 'canceled' for share),
  known as (
    select person_id from identifiers where org_id = $1 and type = 'email' and value = $3),
  person as (
    insert into people (org_id, id, first_name, last_name, primary_email, primary_contact_method, created_at, updated_at)
    select $1, $4, $5, $6, $3, 'email', now(), now() where not exists (select from known) returning id),
  attached as (
    insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
    select $1, new_id(now()), id, 'email', $3, true, true, now() from person),
  remembered as (
    insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
    select $1, person.id, true, false, now() from person join suppressed_addresses s
      on s.org_id = $1 and s.channel = 'email' and s.address_hash = sha256($3::text::bytea)),
  registered as (
    insert into registrations (org_id, id, webinar_id, person_id, registered_at)
    select $1, new_id(now()), webinar.id, who.id, now()
    from webinar, (select person_id as id from known union all select id from person) who
    on conflict (org_id, webinar_id, person_id) do nothing returning id, person_id, webinar_id),
  happened as (
    insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at)
    select $1, new_id(now()), person_id, '$svc_webinar_registration', json_build_object('webinar_id', webinar_id),
      now(), now() from registered),
  run as (
    insert into workflow_runs (org_id, id, workflow_id, version, person_id, webinar_id, registration_id, started_at)
    select $1, new_id(now()), f.id, f.live_version, r.person_id, r.webinar_id, r.id, now()
    from registered r join workflows f on f.org_id = $1 and f.status = 'live'
      and (f.trigger_kind = 'webinar_registration' and (f.trigger_webinar_id is null or f.trigger_webinar_id = $2)
        or f.trigger_kind = 'event' and f.trigger_event = '$svc_webinar_registration')
    returning id, person_id, workflow_id, version),
  waiting as (
    insert into waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, due_at, began_at)
    select $1, id, $2, person_id, workflow_id, version, 'trigger', now(), now() from run),
  clock as (
    insert into wait_clocks as c (org_id, id, next_at)
    select distinct $1::uuid, $2::uuid, now() from run
    where not exists (select from wait_clocks where org_id = $1 and id = $2 and next_at <= now())
    on conflict (org_id, id) do update set next_at = excluded.next_at where c.next_at > excluded.next_at
    returning id),
  woken as (
    insert into outbox (org_id, service, handler, payload, created_at)
    select $1, 'WaitClock', 'ring', json_build_object('org', $1::uuid, 'clock', id), now() from clock),
  audited as (
    insert into audit_log (org_id, id, at, request_id, actor_kind, actor_id, face, operation, ids)
    select $1, new_id(now()), now(), 'bench', 'api_key', '', 'rest', 'register_for_webinar',
      json_build_object('registration_id', id) from registered)
  select person_id from registered`.trim();
