-- test_broadcast: 17 statements, 62 buffers
-- allowance_uses 1, allowances 1, audit_log 7, broadcasts 7, email_blacklist 1, email_layouts 1, identifiers 2, opt_outs 1, organizations 17, outbox 4, people 8, senders 1, sending_domains 1, suppressed_addresses 1, test_sends 9

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
  from "people"
  where "org_id" = $1 and "id" = $2;

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

select a.address, 'opted_out' as reason
  from unnest($1::text[], $2::bytea[]) a(address, hash)
  join suppressed_addresses s on s.org_id = $3 and s.channel = $4 and s.address_hash = a.hash
  union all select email, reason
  from email_blacklist
  where org_id = $5 and email = any($6);

select "i"."value"
  from "identifiers" as "i"
  inner join "opt_outs" as "o" on "o"."org_id" = "i"."org_id" and "o"."person_id" = "i"."person_id"
  where "i"."org_id" = $1 and "i"."type" = $2 and "i"."value" in ($3) and "o"."email_opt_out" = $4;

select "id"
  from "organizations"
  where "id" = $1 for no key update;

delete from "test_sends"
  where "org_id" = $1 and "created_at" <= $2 and "taken_at" is not null;

select coalesce(sum("messages"), 0) as "sent"
  from "test_sends"
  where "org_id" = $1 and "created_at" > $2;

insert into "test_sends" ("org_id", "id", "broadcast_id", "person_id", "addresses", "messages", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7);

insert into "outbox" ("org_id", "service", "handler", "payload", "created_at")
  values ($1, $2, $3, $4, $5);

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
