-- schedule_broadcast: 14 statements, 64 buffers
-- allowance_uses 1, allowances 1, audit_log 7, broadcasts 25, email_layouts 1, organizations 12, outbox 4, segments 4, senders 5, sending_domains 1, webinars 3

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "broadcasts"
  where "org_id" = $1 and "id" = $2 and "workflow_id" is null;

select "id"
  from "senders"
  where "org_id" = $1 and "id" = $2 for share;

select *
  from "broadcasts"
  where "org_id" = $1 and "id" = $2 and "workflow_id" is null for update;

select "name", "timezone", "two_key_sending", "hold_if_audience_changes_by", "default_country", "test_recipients", "history_months"
  from "organizations"
  where "id" = $1;

select "s"."id", "s"."name", "s"."email", "s"."reply_to", "d"."domain", "d"."ownership_token", "d"."dkim_selector", "d"."dkim_public_key", "d"."records", "d"."verified_at"
  from "senders" as "s"
  inner join "sending_domains" as "d" on "d"."org_id" = "s"."org_id" and "d"."id" = "s"."domain_id"
  where "s"."org_id" = $1 and "s"."id" = $2
  order by "s"."created_at", "s"."id";

select "company_name", "logo_url", "logo_alt", "footer_text", "postal_address", "link_color", "button_color"
  from "email_layouts"
  where "org_id" = $1;

select "a"."per_month", "u"."used"
  from "allowances" as "a"
  left join "allowance_uses" as "u" on "u"."org_id" = "a"."org_id" and "u"."channel" = "a"."channel" and "u"."month" = date_trunc('month', $1::timestamptz at time zone 'UTC')::date
  where "a"."org_id" = $2 and "a"."channel" = $3;

update "broadcasts" set "status" = $1, "send_at" = $2, "paced_over_hours" = $3, "revision" = $4, "planned_by" = $5, "planned_recipients" = $6, "scheduled_by" = $7, "scheduled_at" = $8, "updated_at" = $9
  where "org_id" = $10 and "id" = $11;

insert into "outbox" ("org_id", "service", "handler", "payload", "created_at")
  values ($1, $2, $3, $4, $5);

select "b"."id", "b"."status", "b"."channel", "b"."audience", "b"."segment_id", "b"."webinar_id", "b"."webinar_audience", "b"."webinar_offset_minutes", "b"."webinar_anchor", "b"."subject", "b"."preview_text", "b"."sender_id", "b"."send_at", "b"."paced_over_hours", "b"."started_at", "b"."finished_at", "b"."recipients", "b"."sent", "b"."skipped", "b"."failed", "b"."error", "b"."revision", "b"."created_at", "b"."updated_at", "b"."created_by", "b"."planned_by", "b"."scheduled_by", "b"."hold_if_audience_changes_by", "b"."planned_recipients", "b"."held_at", "b"."held_recipients", "s"."name" as "segment_name", "w"."title" as "webinar_title", "w"."start_time" as "webinar_start", "w"."duration_minutes" as "webinar_minutes", "f"."name" as "sender_name", "f"."email" as "sender_email", "f"."reply_to" as "sender_reply_to", "b"."html", "b"."message_body", "b"."variables"
  from "broadcasts" as "b"
  left join "segments" as "s" on "s"."org_id" = "b"."org_id" and "s"."id" = "b"."segment_id"
  left join "webinars" as "w" on "w"."org_id" = "b"."org_id" and "w"."id" = "b"."webinar_id"
  left join "senders" as "f" on "f"."org_id" = "b"."org_id" and "f"."id" = "b"."sender_id"
  where "b"."org_id" = $1 and "b"."workflow_id" is null and "b"."id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
