-- list_person_runs: 6 statements, 29 buffers
-- organizations 3, people 3, waits 4, webinars 3, workflow_runs 9, workflows 7

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

select count(*) as "total"
  from "workflow_runs"
  where "org_id" = $1 and "person_id" = $2;

select "r"."id", "r"."workflow_id", "r"."version", "r"."person_id", "r"."webinar_id", "r"."state", "r"."outcome", "r"."started_at", "r"."ended_at", "w"."node", "w"."held", coalesce(w.due_at, w.offset_ms * interval '1 millisecond' + case w.anchor when 'start' then t.start_time else t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute' end) as "until", "f"."name" as "workflow_name"
  from "workflow_runs" as "r"
  left join "waits" as "w" on "w"."org_id" = "r"."org_id" and "w"."run_id" = "r"."id"
  left join "webinars" as "t" on "t"."org_id" = "r"."org_id" and "t"."id" = "r"."webinar_id"
  inner join "workflows" as "f" on "f"."org_id" = "r"."org_id" and "f"."id" = "r"."workflow_id"
  where "r"."org_id" = $1 and "r"."person_id" = $2
  order by "r"."started_at" desc, "r"."id" desc
  limit $3 offset $4;

commit;
