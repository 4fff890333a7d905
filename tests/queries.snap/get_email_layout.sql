-- get_email_layout: 4 statements, 4 buffers
-- email_layouts 1, organizations 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "company_name", "logo_url", "logo_alt", "footer_text", "postal_address", "link_color", "button_color"
  from "email_layouts"
  where "org_id" = $1;

commit;
