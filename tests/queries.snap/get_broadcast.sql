-- get_broadcast: 4 statements, 14 buffers
-- broadcasts 3, organizations 3, segments 4, senders 1, webinars 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "b"."id", "b"."status", "b"."channel", "b"."audience", "b"."segment_id", "b"."webinar_id", "b"."webinar_audience", "b"."webinar_offset_minutes", "b"."webinar_anchor", "b"."subject", "b"."preview_text", "b"."sender_id", "b"."send_at", "b"."paced_over_hours", "b"."started_at", "b"."finished_at", "b"."recipients", "b"."sent", "b"."skipped", "b"."failed", "b"."error", "b"."revision", "b"."created_at", "b"."updated_at", "b"."created_by", "b"."planned_by", "b"."scheduled_by", "b"."hold_if_audience_changes_by", "b"."planned_recipients", "b"."held_at", "b"."held_recipients", "s"."name" as "segment_name", "w"."title" as "webinar_title", "w"."start_time" as "webinar_start", "w"."duration_minutes" as "webinar_minutes", "f"."name" as "sender_name", "f"."email" as "sender_email", "f"."reply_to" as "sender_reply_to", "b"."html", "b"."message_body", "b"."variables"
  from "broadcasts" as "b"
  left join "segments" as "s" on "s"."org_id" = "b"."org_id" and "s"."id" = "b"."segment_id"
  left join "webinars" as "w" on "w"."org_id" = "b"."org_id" and "w"."id" = "b"."webinar_id"
  left join "senders" as "f" on "f"."org_id" = "b"."org_id" and "f"."id" = "b"."sender_id"
  where "b"."org_id" = $1 and "b"."workflow_id" is null and "b"."id" = $2;

commit;
