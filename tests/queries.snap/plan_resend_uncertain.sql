-- plan_resend_uncertain: 11 statements, 171 buffers
-- allowance_uses 1, allowances 1, broadcasts 3, deliveries 123, email_blacklist 2, email_layouts 1, opt_outs 1, organizations 6, people 30, senders 1, sending_domains 1, suppressed_addresses 1

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

select d.id, d.person_id, d.state, coalesce(d.delivered_at, d.opened_at, d.clicked_at, d.replied_at, d.complained_at, d.unsubscribed_at) is not null as arrived, d.former_state is not null as again
  from deliveries d
  where d.org_id = $1 and d.broadcast_id = $2 and (d.ended = 'uncertain' )
  order by d.ended, d.due_at, d.id
  limit $3;

select case when case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end is null then 'no_address' when o.person_id is not null then 'opted_out' else x.reason end as "excluded", case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end as "address", "people"."id", ( select case when bool_or(t.state in ('sent', 'uncertain')) then 'has_it' when bool_or(t.state = 'sending') then 'in_hand' end
  from deliveries t
  where t.org_id = $1 and t.person_id = people.id and t.broadcast_id = $2 and t.twin is not null and t.occasion is null and "t"."id" >= $3 and "t"."id" < $4) as "twin"
  from "people"
  left join "opt_outs" as "o" on "o"."org_id" = $5 and "o"."person_id" = "people"."id" and "o"."email_opt_out" = $6
  left join "email_blacklist" as "x" on "x"."org_id" = $7 and "x"."person_id" = "people"."id" and "x"."email" = case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end
  where "people"."org_id" = $8 and coalesce(people.primary_email, people.other_email) is not null and "people"."id" = any($9::uuid[]);

select a.address, 'opted_out' as reason
  from unnest($1::text[], $2::bytea[]) a(address, hash)
  join suppressed_addresses s on s.org_id = $3 and s.channel = $4 and s.address_hash = a.hash
  union all select email, reason
  from email_blacklist
  where org_id = $5 and email = any($6);

commit;
