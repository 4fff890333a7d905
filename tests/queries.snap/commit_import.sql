-- commit_import: 13 statements, 57 buffers
-- audit_log 7, identifiers 9, import_parts 5, imports 14, opt_outs 1, organizations 12, outbox 4, people 3, suppressed_addresses 2

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "imports"
  where "org_id" = $1 and "id" = $2 for update skip locked;

select "default_country"
  from "organizations"
  where "id" = $1;

with recursive start as ( select coalesce(max(first_row), 0) as row
  from import_parts
  where org_id = $1 and import_id = $2 and first_row <= $3::bigint + 1 ), taken as ( select p.*, octet_length(p.rows::text)::bigint as bytes, greatest(p.first_row, $4::bigint + 1) + $5::bigint as beyond
  from start
  cross join lateral ( select first_row, last_row, rows
  from import_parts
  where org_id = $6 and import_id = $7 and first_row >= start.row and last_row > $8
  order by first_row
  limit 1) p
  union all select p.*, taken.bytes + octet_length(p.rows::text), taken.beyond
  from taken
  cross join lateral ( select first_row, last_row, rows
  from import_parts
  where org_id = $9 and import_id = $10 and first_row > taken.last_row and first_row < taken.beyond
  order by first_row
  limit 1) p
  where taken.bytes < $11 ) select last_row, rows
  from taken
  order by first_row;

select sent.type, sent.value, i.person_id
  from (select distinct type, value
  from unnest( $1::text[], $2::text[]) as s(type, value)) sent
  join lateral ( select person_id
  from identifiers
  where org_id = $3 and type = sent.type and value = sent.value and type not in ('full_name', 'chat_channel')
  limit 1 ) i on true;

select p.*, coalesce(o.email_opt_out, false) as email_opt_out, coalesce(o.sms_opt_out, false) as sms_opt_out
  from unnest($1::uuid[]) as meant(id)
  cross join lateral ( select id, first_name, last_name, updated_at
  from people
  where org_id = $2 and id = meant.id
  limit 1) p
  left join lateral ( select email_opt_out, sms_opt_out
  from opt_outs
  where org_id = $3 and person_id = meant.id
  limit 1) o on true;

select asked.hash, bool_or(known.channel = 'email') as email, bool_or(known.channel = 'sms') as sms
  from unnest($1::bytea[]) asked(hash)
  join lateral ( select channel
  from suppressed_addresses
  where org_id = $2 and channel in ('email', 'sms') and address_hash = asked.hash
  limit 2 ) known on true
  group by asked.hash;

with recursive start as ( select coalesce(max(first_row), 0) as row
  from import_parts
  where org_id = $1 and import_id = $2 and first_row <= $3::bigint + 1 ), taken as ( select p.*, octet_length(p.rows::text)::bigint as bytes, greatest(p.first_row, $4::bigint + 1) + $5::bigint as beyond
  from start
  cross join lateral ( select first_row, last_row, rows
  from import_parts
  where org_id = $6 and import_id = $7 and first_row >= start.row and last_row > $8
  order by first_row
  limit 1) p
  union all select p.*, taken.bytes + octet_length(p.rows::text), taken.beyond
  from taken
  cross join lateral ( select first_row, last_row, rows
  from import_parts
  where org_id = $9 and import_id = $10 and first_row > taken.last_row and first_row < taken.beyond
  order by first_row
  limit 1) p
  where taken.bytes < $11 ) select last_row, rows
  from taken
  order by first_row;

update "imports" set "status" = $1, "mapping" = $2, "merges" = $3, "may_merge" = $4, "committed_at" = $5, "run_at" = $6, "done_row" = $7
  where "org_id" = $8 and "id" = $9;

insert into "outbox" ("org_id", "service", "handler", "payload", "created_at")
  values ($1, $2, $3, $4, $5);

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
