-- preview_broadcast: 10 statements, 81 buffers
-- allowance_uses 1, allowances 1, broadcasts 3, email_blacklist 2, email_layouts 1, opt_outs 2, organizations 6, people 63, senders 1, sending_domains 1

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

select count(*) filter (where true) as "recipients", count(*) filter (where excluded is null) as "reachable", max(created_at) filter (where excluded is null)::text as "newest", count(*) filter (where excluded = $1) as "opted_out", count(*) filter (where excluded = $2) as "bounced", count(*) filter (where excluded = $3) as "complained", count(*) filter (where excluded = $4) as "blacklisted", count(*) filter (where excluded = $5) as "no_address", count(*) filter (where excluded = $6) as "invalid_address"
  from (select case when case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end is null then 'no_address' when o.person_id is not null then 'opted_out' else x.reason end as "excluded", case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end as "address", "people"."created_at"
  from "people"
  left join "opt_outs" as "o" on "o"."org_id" = $7 and "o"."person_id" = "people"."id" and "o"."email_opt_out" = $8
  left join "email_blacklist" as "x" on "x"."org_id" = $9 and "x"."person_id" = "people"."id" and "x"."email" = case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end
  where "people"."org_id" = $10 and coalesce(people.primary_email, people.other_email) is not null) as "judged";

select "id"
  from (select case when case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end is null then 'no_address' when o.person_id is not null then 'opted_out' else x.reason end as "excluded", case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end as "address", "people"."id"
  from "people"
  left join "opt_outs" as "o" on "o"."org_id" = $1 and "o"."person_id" = "people"."id" and "o"."email_opt_out" = $2
  left join "email_blacklist" as "x" on "x"."org_id" = $3 and "x"."person_id" = "people"."id" and "x"."email" = case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end
  where "people"."org_id" = $4 and coalesce(people.primary_email, people.other_email) is not null and "people"."created_at" = $5::timestamptz) as "judged"
  where "excluded" is null
  order by "id"
  limit $6;

commit;
