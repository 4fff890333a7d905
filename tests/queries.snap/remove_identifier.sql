-- remove_identifier: 9 statements, 34 buffers
-- audit_log 4, email_blacklist 1, identifiers 11, organizations 7, people 5, suppressed_addresses 6

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "people"
  where "org_id" = $1 and "id" = $2 for update;

select *
  from "identifiers"
  where "org_id" = $1 and "id" = $2 and "person_id" = $3;

select case i.type when 'email' then 'email' else 'sms' end as channel, i.value as address
  from identifiers i
  join opt_outs o on o.org_id = i.org_id and o.person_id = i.person_id and ((i.type = 'email' and o.email_opt_out) or (i.type = 'phone' and o.sms_opt_out))
  where i.org_id = $1 and i.person_id = $2 union select 'email', email
  from email_blacklist
  where org_id = $3 and person_id = $4;

insert into "suppressed_addresses" ("org_id", "channel", "address_hash", "suppressed_at")
  values ($1, $2, $3, $4)
  on conflict do nothing;

delete from "identifiers"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

commit;
