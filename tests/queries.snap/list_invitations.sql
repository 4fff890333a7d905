-- list_invitations: 4 statements, 3 buffers
-- invitations 1, organizations 2

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "email", "role", "invited_by", "sent_at", "ends_at"
  from "invitations"
  where "org_id" = $1 and "ends_at" > $2
  order by "email";

commit;
