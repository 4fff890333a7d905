-- list_broadcast_recipients: 6 statements, 287 buffers
-- broadcasts 3, deliveries 218, delivery_queue 3, organizations 3, people 60

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
  from "broadcasts"
  where "org_id" = $1 and "id" = $2 and "workflow_id" is null;

select d.id, d.person_id, d.state, d.reason, d.due_at, d.due_at::text as due, d.sent_at, d.delivered_at, d.opened_at, d.clicked_at, d.replied_at, d.bounced_at, d.complained_at, d.unsubscribed_at
  from delivery_queue at
  join deliveries d on d.org_id = at.org_id and d.id = at.id
  where at.org_id = $1 and at.broadcast_id = $2 and d.org_id = $3 and d.state = $4 and at.lane = $5
  order by at.due_at, at.id
  limit $6;

select "id", "first_name", "last_name", "primary_email", "primary_phone"
  from "people"
  where "org_id" = $1 and "id" in ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51);

commit;
