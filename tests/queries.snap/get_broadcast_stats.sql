-- get_broadcast_stats: 8 statements, 13 buffers
-- broadcast_links 1, broadcast_reasons 1, broadcast_tallies 2, broadcasts 3, organizations 6

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

select "name", "timezone", "two_key_sending", "hold_if_audience_changes_by", "default_country", "test_recipients", "history_months"
  from "organizations"
  where "id" = $1;

select (quarter at time zone $1)::date::text as date, coalesce(sum(count) filter (where kind = 'sent'), 0)::bigint as sent, coalesce(sum(count) filter (where kind = 'opened'), 0)::bigint as opened, coalesce(sum(count) filter (where kind = 'clicked'), 0)::bigint as clicked
  from broadcast_tallies
  where org_id = $2 and broadcast_id = $3 and kind in ('sent', 'opened', 'clicked')
  group by 1
  order by 1;

select "outcome", "reason", "count"
  from "broadcast_reasons"
  where "org_id" = $1 and "broadcast_id" = $2 and "count" > $3
  order by "count" desc, "reason";

select "url", "placeholder", "clicked", "clicks"
  from "broadcast_links"
  where "org_id" = $1 and "broadcast_id" = $2
  order by "link";

commit;
