-- list_workflow_people: 7 statements, 227 buffers
-- organizations 3, people 60, waits 154, webinars 2, workflow_runs 5, workflows 3

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

select "r"."id", "r"."workflow_id", "r"."version", "r"."person_id", "r"."webinar_id", "r"."state", "r"."outcome", "r"."started_at", "r"."ended_at", "w"."node", "w"."held", coalesce(w.due_at, w.offset_ms * interval '1 millisecond' + case w.anchor when 'start' then t.start_time else t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute' end) as "until", "w"."began_at", "t"."title"
  from "workflow_runs" as "r"
  left join "waits" as "w" on "w"."org_id" = "r"."org_id" and "w"."run_id" = "r"."id"
  left join "webinars" as "t" on "t"."org_id" = "r"."org_id" and "t"."id" = "r"."webinar_id"
  where "r"."org_id" = $1 and "r"."workflow_id" = $2 and "w"."workflow_id" = $3 and "w"."node" = $4
  order by "r"."started_at" desc, "r"."id" desc
  limit $5 offset $6;

select "id", "first_name", "last_name", "primary_email", "primary_phone"
  from "people"
  where "org_id" = $1 and "id" in ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51);

select count(*) as "total"
  from "waits"
  where "org_id" = $1 and "workflow_id" = $2 and "node" = $3;

commit;
