-- list_person_segments: 84 statements, 639 buffers
-- opt_outs 1, organizations 3, people 471, segments 164

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

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."subscription_status" in ($3, $4)) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and ("people"."primary_email" is not null or "people"."first_name" is not null or "people"."last_name" is not null)) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $9 and "people"."id" = $10 and exists (select "o"."person_id"
  from "opt_outs" as "o"
  where "o"."org_id" = $11 and "o"."person_id" = "people"."id" and ("o"."email_opt_out" = $12 or "o"."sms_opt_out" = $13))) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."last_opened_at" >= $3) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $4 and "people"."id" = $5 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $6 and "people"."id" = $7 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $8 and "people"."id" = $9 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select exists (select "people"."id"
  from "people"
  where "people"."org_id" = $1 and "people"."id" = $2 and "people"."primary_email" is not null) as "is_in_0", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $3 and "people"."id" = $4 and "people"."primary_email" is not null) as "is_in_1", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $5 and "people"."id" = $6 and "people"."primary_email" is not null) as "is_in_2", exists (select "people"."id"
  from "people"
  where "people"."org_id" = $7 and "people"."id" = $8 and "people"."primary_email" is not null) as "is_in_3";

select "id", "name", "color", "preset", "filters"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "name", "id"
  limit $2 offset $3;

select count(*) as "total"
  from "segments"
  where "org_id" = $1;

commit;
