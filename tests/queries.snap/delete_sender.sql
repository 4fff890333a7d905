-- delete_sender: 8 statements, 38 buffers
-- audit_log 7, broadcasts 17, organizations 6, senders 6, workflow_versions 1, workflows 1

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "senders"
  where "org_id" = $1 and "id" = $2 for update;

select "id"
  from "broadcasts"
  where "org_id" = $1 and "sender_id" = $2 and "workflow_id" is null and "status" in ($3, $4)
  limit $5;

select w.name
  from workflows w
  join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id and v.version = w.live_version
  where w.org_id = $1 and jsonb_path_exists( v.graph, '$.nodes.*.message.sender_id ? (@ == $sender)', jsonb_build_object('sender', $2::text))
  order by w.created_at, w.id
  limit 1;

delete from "senders"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
