-- survey_workflows: 7 statements, 72 buffers
-- organizations 3, waits 51, webinars 3, workflow_run_counts 1, workflow_versions 1, workflows 13

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select count(*) as "total"
  from "workflows" as "f"
  where "f"."org_id" = $1;

select "f".*, "v"."published_at", "t"."title"
  from (select "f"."id", "f"."name", "f"."status", "f"."live_version", "f"."revision", "f"."created_at", "f"."updated_at", "f"."changed", "f"."problems", "f"."trigger_kind", "f"."trigger_webinar_id", "f"."trigger_event", case when f.live_version is null then f.graph -> 'trigger' end as "draft"
  from "workflows" as "f"
  where "f"."org_id" = $1
  order by "f"."created_at" desc, "f"."id" desc
  limit $2 offset $3) as "f"
  left join "workflow_versions" as "v" on "v"."org_id" = $4 and "v"."workflow_id" = "f"."id" and "v"."version" = "f"."live_version"
  left join "webinars" as "t" on "t"."org_id" = $5 and "t"."id" = coalesce(f.trigger_webinar_id, (f.draft ->> 'webinar_id')::uuid)
  order by "f"."created_at" desc, "f"."id" desc;

select "workflow_id", sum("step") as "begun"
  from "workflow_run_counts"
  where "org_id" = $1 and "workflow_id" in ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51)
  group by "workflow_id";

select "workflow_id", count(*) as "running"
  from "waits"
  where "org_id" = $1 and "workflow_id" in ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51)
  group by "workflow_id";

commit;
