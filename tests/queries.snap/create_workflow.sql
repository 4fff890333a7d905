-- create_workflow: 10 statements, 37 buffers
-- audit_log 7, email_layouts 1, organizations 12, property_configs 1, senders 1, sending_domains 1, sms_numbers 2, workflows 12

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "key", "name", "type"
  from "property_configs"
  where "org_id" = $1
  order by "created_at", "id";

insert into "workflows" ("org_id", "id", "name", "graph", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6)
  returning "changed", "created_at", "id", "live_version", "name", "org_id", "problems", "resumed_at", "revision", "status", "trigger_event", "trigger_kind", "trigger_webinar_id", "updated_at";

select "s"."id", "s"."name", "s"."email", "s"."reply_to", "d"."domain", "d"."ownership_token", "d"."dkim_selector", "d"."dkim_public_key", "d"."records", "d"."verified_at"
  from "senders" as "s"
  inner join "sending_domains" as "d" on "d"."org_id" = "s"."org_id" and "d"."id" = "s"."domain_id"
  where "s"."org_id" = $1
  order by "s"."created_at", "s"."id";

select "company_name", "logo_url", "logo_alt", "footer_text", "postal_address", "link_color", "button_color"
  from "email_layouts"
  where "org_id" = $1;

select "number", "proven_at"
  from "sms_numbers"
  where "org_id" = $1;

update "workflows" set "changed" = $1, "problems" = $2
  where "org_id" = $3 and "id" = $4;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
