set local role rostrum_owner;

-- What members look at people by, under a name: filters, sorting and columns, as they were sent.
create table people_views (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  shows jsonb not null check (jsonb_typeof(shows) = 'object' and octet_length(shows::text) <= 8000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id)
);
create unique index people_views_by_name on people_views (org_id, lower(name));
alter table people_views enable row level security;
alter table people_views force row level security;
create policy tenant on people_views to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on people_views to rostrum_app;
