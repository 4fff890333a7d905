-- list_workflow_runs: 6 statements, 165 buffers
-- organizations 3, waits 151, webinars 2, workflow_run_counts 1, workflow_runs 5, workflows 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "workflows"
  where "org_id" = $1 and "id" = $2;

select "r"."id", "r"."workflow_id", "r"."version", "r"."person_id", "r"."webinar_id", "r"."state", "r"."outcome", "r"."started_at", "r"."ended_at", "w"."node", "w"."held", coalesce(w.due_at, w.offset_ms * interval '1 millisecond' + case w.anchor when 'start' then t.start_time else t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute' end) as "until"
  from "workflow_runs" as "r"
  left join "waits" as "w" on "w"."org_id" = "r"."org_id" and "w"."run_id" = "r"."id"
  left join "webinars" as "t" on "t"."org_id" = "r"."org_id" and "t"."id" = "r"."webinar_id"
  where "r"."org_id" = $1 and "r"."workflow_id" = $2
  order by "r"."started_at" desc, "r"."id" desc
  limit $3 offset $4;

select coalesce(sum("step"), 0) as "begun", coalesce(sum("forgotten"), 0) as "forgotten"
  from "workflow_run_counts"
  where "org_id" = $1 and "workflow_id" = $2;

commit;
