-- squawk-ignore-file adding-foreign-key-constraint
set local role rostrum_owner;

-- A broadcast that somebody wants to see in a mailbox of their own. It is sent once, by whoever takes it: addresses and
-- whose values it was to have go at that moment, and the row stays for a day to be counted. By the service's clock, as
-- mailboxes go by the world's days.
create table test_sends (
  org_id uuid not null,
  id uuid not null,
  broadcast_id uuid not null,
  person_id uuid,
  addresses text[] not null,
  messages bigint not null,
  created_at timestamptz not null,
  taken_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
create index test_sends_untaken on test_sends (created_at) where taken_at is null;
create index test_sends_of_broadcast on test_sends (org_id, broadcast_id);
create index test_sends_of_person on test_sends (org_id, person_id) where person_id is not null;
alter table test_sends enable row level security;
alter table test_sends force row level security;
create policy tenant on test_sends to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep tells the engine again of what nobody took.
create policy relay on test_sends for select to rostrum_relay using (true);
grant select, insert, update, delete on test_sends to rostrum_app;
grant select (org_id, id, created_at, taken_at) on test_sends to rostrum_relay;

-- For `rostrum org list`, which whoever runs the installation asks.
grant select (name, mode, currency, created_at) on organizations to rostrum_relay;
