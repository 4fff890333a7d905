-- list_broadcast_recipients: 5 statements, 9 buffers
-- broadcasts 3, deliveries 5, organizations 1

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "broadcasts"
  where "org_id" = $1 and "id" = $2 and "workflow_id" is null;

select id, person_id, state, reason, due_at, due_at::text as due, sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at, unsubscribed_at
  from deliveries
  where org_id = $1 and broadcast_id = $2 and state = $3
  order by due_at, id
  limit $4;

commit;
