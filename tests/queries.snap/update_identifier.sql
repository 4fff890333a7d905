-- update_identifier: 11 statements, 69 buffers
-- audit_log 7, email_blacklist 1, identifiers 36, organizations 9, people 10, suppressed_addresses 6

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

select *
  from "identifiers"
  where "org_id" = $1 and "id" = $2 and "person_id" = $3;

update "identifiers" set "is_primary_for_type" = $1
  where "org_id" = $2 and "person_id" = $3 and "type" = $4 and "is_primary_for_type" = $5;

select case i.type when 'email' then 'email' else 'sms' end as channel, i.value as address
  from identifiers i
  join opt_outs o on o.org_id = i.org_id and o.person_id = i.person_id and ((i.type = 'email' and o.email_opt_out) or (i.type = 'phone' and o.sms_opt_out))
  where i.org_id = $1 and i.person_id = $2 union select 'email', email
  from email_blacklist
  where org_id = $3 and person_id = $4;

insert into "suppressed_addresses" ("org_id", "channel", "address_hash", "suppressed_at")
  values ($1, $2, $3, $4)
  on conflict do nothing;

update "identifiers" set "value" = $1, "typed" = $2, "is_contact_method" = $3, "is_primary_for_type" = $4
  where "org_id" = $5 and "id" = $6
  returning *;

update people p set primary_email = i.email, other_email = case when i.mailable then null else i.oldest_email end, primary_phone = i.phone, external_user_id = i.external_id, primary_contact_method = case when i.mailable then 'email' when i.textable then 'phone' end, updated_at = $1
  from unnest($2::uuid[]) as changed(id), lateral ( select max(value) filter (where type = 'email' and is_primary_for_type) as email, max(coalesce(typed, value)) filter (where type = 'phone' and is_primary_for_type) as phone, max(value) filter (where type = 'org_assigned_user_id' and is_primary_for_type) as external_id, bool_or(is_contact_method) filter (where type = 'email' and is_primary_for_type) as mailable, bool_or(is_contact_method) filter (where type = 'phone' and is_primary_for_type) as textable, (array_agg(value
  order by created_at, id) filter (where type = 'email' and is_contact_method))[1] as oldest_email
  from identifiers
  where org_id = $3 and person_id = changed.id ) i
  where p.org_id = $4 and p.id = any($5::uuid[]) and p.id = changed.id;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
