set local role rostrum_owner;

-- clock_ahead_ms: how far the clock of a test organization runs ahead; a live one's never does. clock_moved_at is the
-- real moment at which it was last moved: what became due by a leap is not late because of it.
alter table organizations
  add column two_key_sending boolean not null default false,
  add column clock_moved_at timestamptz,
  add column clock_ahead_ms bigint not null default 0 check (clock_ahead_ms = 0 or (clock_ahead_ms > 0 and mode = 'test'));

-- How many messages of a channel an organization may send in a calendar month, UTC. No row: as many as it likes.
create table allowances (
  org_id uuid not null references organizations (id) on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  per_month bigint not null check (per_month >= 0),
  primary key (org_id, channel)
);
alter table allowances enable row level security;
alter table allowances force row level security;
create policy tenant on allowances to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on allowances to rostrum_app;

-- What was taken of it.
create table allowance_uses (
  org_id uuid not null references organizations (id) on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  month date not null,
  used bigint not null check (used >= 0),
  primary key (org_id, channel, month)
);
alter table allowance_uses enable row level security;
alter table allowance_uses force row level security;
create policy tenant on allowance_uses to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update on allowance_uses to rostrum_app;
