set local role rostrum_owner;

-- What the engine must be told, committed with the write that caused it.
create table outbox (
  org_id uuid not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  service text not null,
  handler text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  primary key (org_id, id)
);
create index outbox_order on outbox (id);
alter table outbox enable row level security;
alter table outbox force row level security;
create policy tenant on outbox to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on outbox to rostrum_relay using (true) with check (true);
grant select, insert on outbox to rostrum_app;
-- FOR UPDATE asks for the right to update, though no row is ever changed.
grant select, insert, update, delete on outbox to rostrum_relay;
