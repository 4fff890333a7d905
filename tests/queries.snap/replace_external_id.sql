-- replace_external_id: 9 statements, 58 buffers
-- audit_log 7, identifiers 35, organizations 6, people 10

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "people"
  where "org_id" = $1 and "id" = any($2::uuid[])
  order by "id" for update;

select "id", "person_id", "is_primary_for_type"
  from "identifiers"
  where "org_id" = $1 and "type" = $2 and "value" = $3;

update "identifiers" set "is_primary_for_type" = $1
  where "org_id" = $2 and "person_id" = $3 and "type" = $4 and "is_primary_for_type" = $5;

update "identifiers" set "is_primary_for_type" = $1
  where "org_id" = $2 and "id" = $3;

update people p set primary_email = i.email, other_email = case when i.mailable then null else i.oldest_email end, primary_phone = i.phone, external_user_id = i.external_id, primary_contact_method = case when i.mailable then 'email' when i.textable then 'phone' end, updated_at = $1
  from unnest($2::uuid[]) as changed(id), lateral ( select max(value) filter (where type = 'email' and is_primary_for_type) as email, max(coalesce(typed, value)) filter (where type = 'phone' and is_primary_for_type) as phone, max(value) filter (where type = 'org_assigned_user_id' and is_primary_for_type) as external_id, bool_or(is_contact_method) filter (where type = 'email' and is_primary_for_type) as mailable, bool_or(is_contact_method) filter (where type = 'phone' and is_primary_for_type) as textable, (array_agg(value
  order by created_at, id) filter (where type = 'email' and is_contact_method))[1] as oldest_email
  from identifiers
  where org_id = $3 and person_id = changed.id ) i
  where p.org_id = $4 and p.id = any($5::uuid[]) and p.id = changed.id;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
