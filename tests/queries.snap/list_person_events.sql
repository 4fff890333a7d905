-- list_person_events: 6 statements, 167 buffers
-- broadcasts 3, deliveries 138, events 20, organizations 3, people 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "people"
  where "org_id" = $1 and "id" = $2;

select (select count(*)
  from ( select id, name, custom_properties, occurred_at, created_at
  from events
  where org_id = $1 and person_id = $2) e ) + (select count(*)
  from ( select ('00000000-0000-8000-8' || overlay(lpad(to_hex(d.id), 15, '0') placing '-'
  from 4 for 0))::uuid as id, case b.channel when 'email' then '$svc_email_sent' else '$svc_text_sent' end as name, case when b.workflow_id is null then jsonb_build_object('broadcast_id', b.id) else jsonb_build_object('workflow_id', b.workflow_id, 'node', b.node) end || case b.channel when 'email' then jsonb_build_object('subject', b.subject) else '{}' end as custom_properties, d.sent_at as occurred_at, d.sent_at as created_at
  from deliveries d
  join broadcasts b on b.org_id = d.org_id and b.id = d.broadcast_id
  where d.org_id = $3 and d.person_id = $4 and d.sent_at is not null) e ) as total;

(select *
  from ( select id, name, custom_properties, occurred_at, created_at
  from events
  where org_id = $1 and person_id = $2) e
  order by occurred_at desc, id desc
  limit $3)
  union all (select *
  from ( select ('00000000-0000-8000-8' || overlay(lpad(to_hex(d.id), 15, '0') placing '-'
  from 4 for 0))::uuid as id, case b.channel when 'email' then '$svc_email_sent' else '$svc_text_sent' end as name, case when b.workflow_id is null then jsonb_build_object('broadcast_id', b.id) else jsonb_build_object('workflow_id', b.workflow_id, 'node', b.node) end || case b.channel when 'email' then jsonb_build_object('subject', b.subject) else '{}' end as custom_properties, d.sent_at as occurred_at, d.sent_at as created_at
  from deliveries d
  join broadcasts b on b.org_id = d.org_id and b.id = d.broadcast_id
  where d.org_id = $4 and d.person_id = $5 and d.sent_at is not null) e
  order by occurred_at desc, id desc
  limit $6)
  order by occurred_at desc, id desc
  limit $7 offset $8;

commit;
