-- get_usage: 4 statements, 7 buffers
-- allowance_uses 1, allowances 1, broadcasts 3, organizations 2

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select c.channel, a.per_month, coalesce(u.used, 0) as used, coalesce(s.scheduled, 0) as scheduled, s.next_at
  from (values ('email'), ('sms')) c(channel)
  left join allowances a on a.org_id = $1 and a.channel = c.channel
  left join allowance_uses u on u.org_id = $2 and u.channel = c.channel and u.month = date_trunc('month', $3::timestamptz at time zone 'UTC')::date
  left join ( select channel, count(*) as scheduled, min(send_at) as next_at
  from broadcasts
  where org_id = $4 and status = 'scheduled' and held_at is null and send_at < $5
  group by channel ) s on s.channel = c.channel;

commit;
