-- update_email_layout: 5 statements, 18 buffers
-- audit_log 7, email_layouts 5, organizations 6

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

insert into "email_layouts" ("org_id", "company_name", "logo_url", "logo_alt", "footer_text", "postal_address", "link_color", "button_color", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict ("org_id") do update set "company_name" = $10, "logo_url" = $11, "logo_alt" = $12, "footer_text" = $13, "postal_address" = $14, "link_color" = $15, "button_color" = $16, "updated_at" = $17;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
