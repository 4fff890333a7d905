set local role rostrum_owner;

-- Where a test organization's messages may really go: addresses, or @domain for all of one. The rest end in a sink.
alter table organizations add column test_recipients text[] not null default '{}';

-- Totals that follow the ledger by a trigger below. pending counts what is being handed over, too. prepared_through is
-- the last person the audience was read up to; prepared_at is when everybody was in the ledger.
alter table broadcasts
  add column pending bigint not null default 0,
  add column uncertain bigint not null default 0,
  add column delivered bigint not null default 0,
  add column opened bigint not null default 0,
  add column clicked bigint not null default 0,
  add column bounced bigint not null default 0,
  add column complained bigint not null default 0,
  add column unsubscribed bigint not null default 0,
  add column prepared_through uuid,
  add column prepared_at timestamptz;

-- The ledger: one row for each recipient of a broadcast, there before anything is sent and never deleted with a person.
-- state: pending until claimed, sending while it is handed over, then sent, failed, skipped or, when nobody can know,
-- uncertain. reason says why it was skipped or failed. lane and claim say who is handing it over. due_at is when it may
-- go, or go again. receipt is the provider's name for a text. history holds what is out of the ordinary: deferrals,
-- bounces, complaints. No foreign keys: checking one costs as much as writing the row, a million times.
create table deliveries (
  org_id uuid not null,
  id bigint generated always as identity,
  broadcast_id uuid not null,
  person_id uuid,
  state text not null check (state in ('pending', 'sending', 'sent', 'skipped', 'failed', 'uncertain')),
  reason text,
  due_at timestamptz not null,
  attempts bigint not null default 0,
  lane bigint,
  claim uuid,
  address text,
  reply text,
  receipt text,
  sent_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  replied_at timestamptz,
  bounced_at timestamptz,
  bounce_class text check (bounce_class in ('hard', 'soft', 'policy')),
  complained_at timestamptz,
  unsubscribed_at timestamptz,
  history jsonb not null default '[]',
  primary key (org_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create unique index deliveries_of_person on deliveries (org_id, person_id, broadcast_id);
create index deliveries_by_state on deliveries (org_id, broadcast_id, state, due_at, id);
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy tenant on deliveries to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on deliveries to rostrum_app;

create function delete_deliveries_of_org() returns trigger language plpgsql as $$
begin
  delete from deliveries where org_id = old.id;
  return null;
end $$;
create trigger deliveries_go_with_org after delete on organizations
  for each row execute function delete_deliveries_of_org();

-- Who is at work on a broadcast: each lane is one chain of steps. A step is done by whoever has its ticket; next_at is
-- when the lane should be looked at again, should nobody have been heard of.
create table delivery_lanes (
  org_id uuid not null,
  broadcast_id uuid not null,
  lane bigint not null,
  ticket bigint not null default 1,
  next_at timestamptz not null,
  primary key (org_id, broadcast_id, lane),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade
);
create index delivery_lanes_due on delivery_lanes (next_at);
alter table delivery_lanes enable row level security;
alter table delivery_lanes force row level security;
create policy tenant on delivery_lanes to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on delivery_lanes for select to rostrum_relay using (true);
grant select, insert, update, delete on delivery_lanes to rostrum_app;
grant select (org_id, broadcast_id, lane, next_at) on delivery_lanes to rostrum_relay;

-- Receiving domains that asked for less, or refused what we are: until slow_until one message goes at a time, not
-- before next_at.
create table receiving_domains (
  org_id uuid not null references organizations (id) on delete cascade,
  domain text not null,
  slow_until timestamptz not null,
  next_at timestamptz not null,
  reason text not null,
  primary key (org_id, domain)
);
alter table receiving_domains enable row level security;
alter table receiving_domains force row level security;
create policy tenant on receiving_domains to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on receiving_domains to rostrum_app;

-- How many were sent, opened and clicked in each quarter of an hour: the smallest step between two time zones, so days
-- can be made of them in any.
create table broadcast_tallies (
  org_id uuid not null,
  broadcast_id uuid not null,
  kind text not null check (kind in ('sent', 'opened', 'clicked')),
  quarter timestamptz not null,
  count bigint not null,
  primary key (org_id, broadcast_id, kind, quarter),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade
);
alter table broadcast_tallies enable row level security;
alter table broadcast_tallies force row level security;
create policy tenant on broadcast_tallies to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on broadcast_tallies to rostrum_app;

create table broadcast_skips (
  org_id uuid not null,
  broadcast_id uuid not null,
  reason text not null,
  count bigint not null,
  primary key (org_id, broadcast_id, reason),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade
);
alter table broadcast_skips enable row level security;
alter table broadcast_skips force row level security;
create policy tenant on broadcast_skips to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on broadcast_skips to rostrum_app;

create function quarter_of(at timestamptz) returns timestamptz language sql immutable as
  $$ select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00Z') $$;

-- The totals are sums over the ledger, kept by the statement that changes it: no reader can see the two disagree.
create function count_deliveries_added() returns trigger language plpgsql as $$
begin
  update broadcasts b set
    recipients = b.recipients + a.recipients, pending = b.pending + a.pending, skipped = b.skipped + a.skipped
  from (
    select org_id, broadcast_id, count(*) as recipients,
      count(*) filter (where state in ('pending', 'sending')) as pending,
      count(*) filter (where state = 'skipped') as skipped
    from added group by org_id, broadcast_id) a
  where b.org_id = a.org_id and b.id = a.broadcast_id;
  insert into broadcast_skips as s (org_id, broadcast_id, reason, count)
  select org_id, broadcast_id, reason, count(*) from added where state = 'skipped' group by org_id, broadcast_id, reason
  on conflict (org_id, broadcast_id, reason) do update set count = s.count + excluded.count;
  return null;
end $$;

create function count_deliveries_changed() returns trigger language plpgsql as $$
begin
  update broadcasts b set
    pending = b.pending + d.pending, sent = b.sent + d.sent, skipped = b.skipped + d.skipped,
    failed = b.failed + d.failed, uncertain = b.uncertain + d.uncertain,
    delivered = b.delivered + d.delivered, opened = b.opened + d.opened, clicked = b.clicked + d.clicked,
    bounced = b.bounced + d.bounced, complained = b.complained + d.complained,
    unsubscribed = b.unsubscribed + d.unsubscribed
  from (
    select org_id, broadcast_id,
      sum((n.state in ('pending', 'sending'))::int - (o.state in ('pending', 'sending'))::int) as pending,
      sum((n.state = 'sent')::int - (o.state = 'sent')::int) as sent,
      sum((n.state = 'skipped')::int - (o.state = 'skipped')::int) as skipped,
      sum((n.state = 'failed')::int - (o.state = 'failed')::int) as failed,
      sum((n.state = 'uncertain')::int - (o.state = 'uncertain')::int) as uncertain,
      sum((n.delivered_at is not null)::int - (o.delivered_at is not null)::int) as delivered,
      sum((n.opened_at is not null)::int - (o.opened_at is not null)::int) as opened,
      sum((n.clicked_at is not null)::int - (o.clicked_at is not null)::int) as clicked,
      sum((n.bounced_at is not null)::int - (o.bounced_at is not null)::int) as bounced,
      sum((n.complained_at is not null)::int - (o.complained_at is not null)::int) as complained,
      sum((n.unsubscribed_at is not null)::int - (o.unsubscribed_at is not null)::int) as unsubscribed
    from changed n join was o using (org_id, broadcast_id, id)
    group by org_id, broadcast_id order by org_id, broadcast_id) d
  where b.org_id = d.org_id and b.id = d.broadcast_id
    and (d.pending, d.sent, d.skipped, d.failed, d.uncertain, d.delivered, d.opened, d.clicked, d.bounced, d.complained,
      d.unsubscribed) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  insert into broadcast_tallies as t (org_id, broadcast_id, kind, quarter, count)
  select org_id, broadcast_id, kind, quarter_of(at), sum(step) from (
    select n.org_id, n.broadcast_id, moment.kind, moment.at, 1 as step
    from changed n join was o using (org_id, broadcast_id, id)
      cross join lateral (values
        ('sent', n.sent_at, o.sent_at), ('opened', n.opened_at, o.opened_at), ('clicked', n.clicked_at, o.clicked_at)
      ) moment (kind, at, before)
    where moment.at is not null and moment.before is null) steps
  group by org_id, broadcast_id, kind, quarter_of(at) order by 1, 2, 3, 4
  on conflict (org_id, broadcast_id, kind, quarter) do update set count = t.count + excluded.count;
  insert into broadcast_skips as s (org_id, broadcast_id, reason, count)
  select n.org_id, n.broadcast_id, n.reason, count(*) from changed n join was o using (org_id, broadcast_id, id)
  where n.state = 'skipped' and o.state <> 'skipped'
  group by n.org_id, n.broadcast_id, n.reason order by 1, 2, 3
  on conflict (org_id, broadcast_id, reason) do update set count = s.count + excluded.count;
  return null;
end $$;

create trigger deliveries_added after insert on deliveries referencing new table as added
  for each statement execute function count_deliveries_added();
create trigger deliveries_changed after update on deliveries referencing old table as was new table as changed
  for each statement execute function count_deliveries_changed();
