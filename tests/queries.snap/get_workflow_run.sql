-- get_workflow_run: 4 statements, 14 buffers
-- organizations 3, waits 4, webinars 3, workflow_runs 4

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "r"."id", "r"."workflow_id", "r"."version", "r"."person_id", "r"."webinar_id", "r"."state", "r"."outcome", "r"."started_at", "r"."ended_at", "w"."node", "w"."held", coalesce(w.due_at, w.offset_ms * interval '1 millisecond' + case w.anchor when 'start' then t.start_time else t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute' end) as "until", "r"."path"
  from "workflow_runs" as "r"
  left join "waits" as "w" on "w"."org_id" = "r"."org_id" and "w"."run_id" = "r"."id"
  left join "webinars" as "t" on "t"."org_id" = "r"."org_id" and "t"."id" = "r"."webinar_id"
  where "r"."org_id" = $1 and "r"."id" = $2;

commit;
