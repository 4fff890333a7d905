-- find_registrants: 6 statements, 143 buffers
-- organizations 3, people 120, registrations 17, webinars 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

select "r"."id", "r"."person_id", "r"."registered_at", "r"."attended", "r"."attendance_source", "r"."attendance_at", "r"."join_url"
  from ( select "id", "person_id", "registered_at", "attended", "attendance_source", "attendance_at", "join_url"
  from registrations
  where org_id = $1 and webinar_id = $2
  order by registered_at desc, id desc
  limit $3) r
  join people p on p.org_id = $4 and p.id = r.person_id
  where lower(concat_ws(' ', p.first_name, p.last_name)) like $5 or lower(p.primary_email) like $6 or p.primary_phone like $7
  order by r.registered_at desc, r.id desc
  limit $8;

select "id", "first_name", "last_name", "primary_email", "primary_phone"
  from "people"
  where "org_id" = $1 and "id" in ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51);

commit;
