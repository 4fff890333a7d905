-- squawk-ignore-file prefer-bigint-over-smallint
set local role rostrum_owner;

-- The ledger: one row for each recipient of a broadcast, there before anything is sent and never deleted with a person.
-- state: pending until claimed, sending while it is handed over, then sent, failed, skipped or, when nobody can know,
-- uncertain. reason says why it was skipped or failed. lane and claim say who is handing it over. due_at is when it may
-- go, or go again. receipt is the provider's name for a text. history holds what is out of the ordinary: deferrals,
-- bounces, complaints. No foreign keys: checking one costs as much as writing the row, a million times.
-- A merge may bring one person two rows of a broadcast that were both handed over, or ended otherwise: whoever follows a
-- link of the second message, bounces or complains about it must still be found by it. Such a row has its own id as
-- twin; every other has none, and of those there is one for each person and broadcast. run_id: the run whose message it
-- is. occasion tells the messages of one node to one person apart; a broadcast has one for each, and none. added_at: when
-- it came into the ledger, or was sent again; else a message of a broadcast came with the broadcast. former_state and
-- former_reason: how it had ended when somebody had it sent again; it ends so once more if that comes to nothing (ADR 95).
create sequence delivery_ids maxvalue 1099511627775;
grant usage on sequence delivery_ids to rostrum_app;
-- What has a fixed length stands first, without gaps between, and what most rows do not have is null: a row is kept for
-- years, and its size also decides how much room its next versions need (ADR 75).
create table deliveries (
  org_id uuid not null,
  id bigint not null default first_number_of_month(now()) + nextval('delivery_ids'),
  broadcast_id uuid not null,
  person_id uuid,
  due_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  replied_at timestamptz,
  bounced_at timestamptz,
  complained_at timestamptz,
  unsubscribed_at timestamptz,
  added_at timestamptz,
  twin bigint,
  occasion bigint,
  run_id uuid,
  claim uuid,
  attempts smallint not null default 0,
  lane smallint,
  state text not null check (state in ('pending', 'sending', 'sent', 'skipped', 'failed', 'uncertain')),
  history jsonb not null default '[]',
  reason text,
  address text,
  reply text,
  receipt text,
  bounce_class text check (bounce_class in ('hard', 'soft', 'policy')),
  former_state text check (former_state in ('uncertain', 'failed')),
  former_reason text,
  -- How a message that was not sent ended. Nothing in the common life, so that indexes of it are not written there.
  ended text generated always as (case when state in ('skipped', 'failed', 'uncertain') then state end) stored,
  primary key (org_id, id)
) partition by range (id);
-- A row is written twice before it rests, a page of them at once, and grows by half: two thirds of each page are kept for
-- that, and it ends up full. With less room versions move to other pages, and every index hears of it (ADR 75).
create table deliveries_default partition of deliveries default
  with (fillfactor = 35, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
alter table deliveries_default enable row level security;
alter table deliveries_default force row level security;
-- Once a person a broadcast. All rows of a broadcast are in the month in which it began, so that this index of each
-- month is enough; a mailing has another occasion for every message (ADR 54).
create unique index deliveries_default_once on deliveries_default (org_id, person_id, broadcast_id, twin, occasion)
  nulls not distinct where person_id is not null;
-- No index has a column that changes while a message goes its common way, from pending to sending to sent: else each of
-- those steps would be written to all of them. Who is pending or being handed over stands in delivery_queue.
create index deliveries_in_turn on deliveries (org_id, broadcast_id, due_at, id) where ended is null;
create index deliveries_ended on deliveries (org_id, broadcast_id, ended, due_at, id) where ended is not null;
-- Who was skipped or failed for one reason. Without it a page of a rare reason read the whole ledger: 0.3 s of three
-- processes at a million rows, and 1 ms with it.
create index deliveries_by_reason on deliveries (org_id, broadcast_id, reason, ended, due_at, id)
  where reason is not null;
-- Who opened or clicked: few of many, and a page of them must not read the others.
create index deliveries_opened on deliveries (org_id, broadcast_id, ended, due_at, id) where opened_at is not null;
create index deliveries_clicked on deliveries (org_id, broadcast_id, ended, due_at, id) where clicked_at is not null;
-- Fewer still: who answered, from whom it came back, who complained and who unsubscribed.
create index deliveries_replied on deliveries (org_id, broadcast_id, ended, due_at, id) where replied_at is not null;
create index deliveries_bounced on deliveries (org_id, broadcast_id, ended, due_at, id) where bounced_at is not null;
create index deliveries_complained on deliveries (org_id, broadcast_id, ended, due_at, id)
  where complained_at is not null;
create index deliveries_unsubscribed on deliveries (org_id, broadcast_id, ended, due_at, id)
  where unsubscribed_at is not null;
-- Whether a receiving domain refuses one message or many is asked for each refusal that is reported: of the last hour.
create index deliveries_refused_by_policy on deliveries (org_id, bounced_at) where bounce_class = 'policy';
create index deliveries_by_receipt on deliveries (receipt) where receipt is not null;
-- The few rows that a merge left behind another, looked for with every window: without an index of them alone, all rows
-- of the month were read for each recipient while statistics were from before it began (ADR 102).
create index deliveries_twins on deliveries (org_id, broadcast_id, person_id) where twin is not null;
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy tenant on deliveries to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- What comes back over a route counts for messages that went over it: the relay finds the row, by the provider's name
-- where a receipt has no other, and sees when it went out, and no more of it.
create policy relay on deliveries for select to rostrum_relay using (true);
grant select, insert, update, delete on deliveries to rostrum_app;
grant select (org_id, id, receipt, due_at, sent_at) on deliveries to rostrum_relay;
create sequence delivery_occasions;
grant usage on sequence delivery_occasions to rostrum_app;

-- Who is pending, with lane -1, and who is being handed over, with the lane that does it: what a lane looks for, kept
-- equal to the ledger's states by its triggers. A row goes when its message rests, so this is as long as what is to do.
create table delivery_queue (
  org_id uuid not null,
  broadcast_id uuid not null,
  lane bigint not null,
  due_at timestamptz not null,
  id bigint not null,
  primary key (org_id, broadcast_id, lane, due_at, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
alter table delivery_queue enable row level security;
alter table delivery_queue force row level security;
create policy tenant on delivery_queue to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- A month in which somebody is still to be written to is not dropped (expire_month, drop_month): asked once a minute
-- while a month is past its time, which read the whole queue, 0.3 s of half a million. By the month, as an index of ids
-- would tempt the planner to look for rows of the ledger in the queue one by one.
create index delivery_queue_by_month on delivery_queue ((id >> 40));
create policy months on delivery_queue for select to rostrum_owner using (true);
grant select, insert, delete on delivery_queue to rostrum_app;

-- Where a row stands in the queue; nothing for one that rests.
create function queue_lane(state text, lane bigint) returns bigint language sql immutable parallel safe
  return case state when 'pending' then -1 when 'sending' then coalesce(lane, -2) end;

create function delete_deliveries_of_org() returns trigger language plpgsql as $$
begin
  delete from deliveries where org_id = old.id;
  return null;
end $$;
create trigger deliveries_go_with_org after delete on organizations
  for each row execute function delete_deliveries_of_org();

create function quarter_of(at timestamptz) returns timestamptz language sql immutable as
  $$ select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00Z') $$;

-- The totals are sums over the ledger, kept by the statement that changes it: no reader can see the two disagree.
-- In one pass over the rows: a part of an audience is 20,000 of them.
create function count_deliveries_added() returns trigger language plpgsql as $$
begin
  insert into delivery_queue (org_id, broadcast_id, lane, due_at, id)
  select org_id, broadcast_id, queue_lane(state, lane), due_at, id from added where state in ('pending', 'sending');
  with counted as materialized (
    select org_id, broadcast_id, state, reason, count(*) as n from added group by org_id, broadcast_id, state, reason
  ), skipped as (
    insert into broadcast_reasons as r (org_id, broadcast_id, outcome, reason, count)
    select org_id, broadcast_id, state, reason, n from counted
    where state in ('skipped', 'failed', 'uncertain') and reason is not null order by 1, 2, 3, 4
    on conflict (org_id, broadcast_id, outcome, reason) do update set count = r.count + excluded.count
  )
  update broadcasts b set
    recipients = b.recipients + a.recipients, pending = b.pending + a.pending, skipped = b.skipped + a.skipped
  from (
    select org_id, broadcast_id, sum(n) as recipients,
      coalesce(sum(n) filter (where state in ('pending', 'sending')), 0) as pending,
      coalesce(sum(n) filter (where state = 'skipped'), 0) as skipped
    from counted group by org_id, broadcast_id order by org_id, broadcast_id) a
  where b.org_id = a.org_id and b.id = a.broadcast_id;
  return null;
end $$;

-- Each row by its whole key: a join with the queue reads all of an organization's while statistics are from before it was
-- filled, 70 ms for a window of 64 among 4,000 (ADR 102), so that no other way to join is left to the planner. All of the
-- statement at once, because a trigger for each row took 0.07 ms, twice a message.
create function requeue_deliveries() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if not exists (select from (table was union all table changed) d where state in ('pending', 'sending')) then
    return null; -- it rests: opened, clicked, bounced
  end if;
  -- The place is worked out first: the policy lets only a value find its way by the index.
  delete from delivery_queue q using (
    select org_id, broadcast_id, queue_lane(state, lane) as place, due_at, id from was
    where state in ('pending', 'sending') offset 0) o
  where q.org_id = o.org_id and q.broadcast_id = o.broadcast_id and q.lane = o.place and q.due_at = o.due_at
    and q.id = o.id;
  insert into delivery_queue (org_id, broadcast_id, lane, due_at, id)
  select org_id, broadcast_id, queue_lane(state, lane), due_at, id from changed where state in ('pending', 'sending');
  return null;
end $$;

-- Totals are what is there now less what was there: joining the two would compare every row with every other.
create function count_deliveries_changed() returns trigger language plpgsql as $$
begin
  -- A claim changes nothing that is counted, and is every other change.
  if not exists (
    select from (table changed union all table was) d
    where state not in ('pending', 'sending') or coalesce(sent_at, delivered_at, opened_at, clicked_at, bounced_at,
      complained_at, unsubscribed_at) is not null)
  then
    return null;
  end if;
  update broadcasts b set
    pending = b.pending + d.pending, sent = b.sent + d.sent, skipped = b.skipped + d.skipped,
    failed = b.failed + d.failed, uncertain = b.uncertain + d.uncertain,
    delivered = b.delivered + d.delivered, opened = b.opened + d.opened, clicked = b.clicked + d.clicked,
    bounced = b.bounced + d.bounced, complained = b.complained + d.complained,
    unsubscribed = b.unsubscribed + d.unsubscribed
  from (
    select org_id, broadcast_id,
      sum(step * (state in ('pending', 'sending'))::int) as pending,
      sum(step * (state = 'sent')::int) as sent,
      sum(step * (state = 'skipped')::int) as skipped,
      sum(step * (state = 'failed')::int) as failed,
      sum(step * (state = 'uncertain')::int) as uncertain,
      sum(step * (delivered_at is not null)::int) as delivered,
      sum(step * (opened_at is not null)::int) as opened,
      sum(step * (clicked_at is not null)::int) as clicked,
      sum(step * (bounced_at is not null)::int) as bounced,
      sum(step * (complained_at is not null)::int) as complained,
      sum(step * (unsubscribed_at is not null)::int) as unsubscribed
    from (
      select 1 as step, org_id, broadcast_id, state, delivered_at, opened_at, clicked_at, bounced_at, complained_at,
        unsubscribed_at from changed
      union all
      select -1, org_id, broadcast_id, state, delivered_at, opened_at, clicked_at, bounced_at, complained_at,
        unsubscribed_at from was) steps
    group by org_id, broadcast_id order by org_id, broadcast_id) d
  where b.org_id = d.org_id and b.id = d.broadcast_id
    and (d.pending, d.sent, d.skipped, d.failed, d.uncertain, d.delivered, d.opened, d.clicked, d.bounced, d.complained,
      d.unsubscribed) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  insert into broadcast_tallies as t (org_id, broadcast_id, kind, quarter, count)
  select org_id, broadcast_id, kind, quarter_of(at), sum(step) from (
    select n.org_id, n.broadcast_id, moment.kind, moment.at, 1 as step
    from changed n join was o using (id, org_id)
      cross join lateral (values
        ('sent', n.sent_at, o.sent_at), ('opened', n.opened_at, o.opened_at), ('clicked', n.clicked_at, o.clicked_at),
        (case when n.sent_at is null then 'refused' else 'bounced' end,
          case when n.bounce_class = 'hard' then n.bounced_at end, case when o.bounce_class = 'hard' then o.bounced_at end),
        ('complained', n.complained_at, o.complained_at)
      ) moment (kind, at, before)
    where moment.at is not null and moment.before is null) steps
  group by org_id, broadcast_id, kind, quarter_of(at) order by 1, 2, 3, 4
  on conflict (org_id, broadcast_id, kind, quarter) do update set count = t.count + excluded.count;
  insert into broadcast_reasons as r (org_id, broadcast_id, outcome, reason, count)
  select org_id, broadcast_id, state, reason, sum(step) from (
    select 1 as step, org_id, broadcast_id, state, reason from changed where state in ('skipped', 'failed', 'uncertain')
    union all
    select -1, org_id, broadcast_id, state, reason from was where state in ('skipped', 'failed', 'uncertain')) steps
  where reason is not null
  group by org_id, broadcast_id, state, reason having sum(step) <> 0 order by 1, 2, 3, 4
  on conflict (org_id, broadcast_id, outcome, reason) do update set count = r.count + excluded.count;
  return null;
end $$;

create function unqueue_deliveries() returns trigger language plpgsql as $$
begin
  delete from delivery_queue q using removed r
  where r.state in ('pending', 'sending') and q.org_id = r.org_id and q.broadcast_id = r.broadcast_id
    and q.lane = queue_lane(r.state, r.lane) and q.due_at = r.due_at and q.id = r.id;
  return null;
end $$;

create trigger deliveries_removed after delete on deliveries referencing old table as removed
  for each statement execute function unqueue_deliveries();
create trigger deliveries_added after insert on deliveries referencing new table as added
  for each statement execute function count_deliveries_added();
create trigger deliveries_changed after update on deliveries referencing old table as was new table as changed
  for each statement execute function count_deliveries_changed();
create trigger deliveries_requeued after update on deliveries referencing old table as was new table as changed
  for each statement execute function requeue_deliveries();

-- Who is at work on a broadcast: each lane is one chain of steps. A step is done by whoever has its ticket; next_at is
-- when the lane should be looked at again, should nobody have been heard of. Nobody is at work in a lane that rests:
-- whoever adds recipients may wake it. The lanes of a mailing stay when there is nothing left to do, with next_at
-- infinity. Whoever looks for what a lane has in hand or may claim begins at from_due, from_id, the first that it had in
-- hand when it claimed last: what went before left dead entries in the queue, which stay while a snapshot is held.
create table delivery_lanes (
  org_id uuid not null,
  broadcast_id uuid not null,
  lane bigint not null,
  ticket bigint not null default 1,
  next_at timestamptz not null,
  resting boolean not null default false,
  from_due timestamptz not null default 'epoch',
  from_id bigint not null default 0,
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

-- Every window of recipients that a lane claimed, with its number in the lane. The fence in the engine knows the windows
-- that were handed over: one that is not here was forgotten by a database that went back (ADR 60).
create table delivery_windows (
  org_id uuid not null,
  broadcast_id uuid not null,
  lane bigint not null,
  number bigint not null,
  claim uuid not null,
  claimed_at timestamptz not null default now(),
  -- Whose journal knows what became of it, if there is one (ADR 110).
  process uuid,
  primary key (org_id, broadcast_id, lane, number),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade
);
create index delivery_windows_old on delivery_windows (claimed_at);
alter table delivery_windows enable row level security;
alter table delivery_windows force row level security;
create policy tenant on delivery_windows to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- Tidying forgets those that the fence has forgotten.
create policy relay on delivery_windows to rostrum_relay using (true);
grant select, insert, update on delivery_windows to rostrum_app;
grant select, delete on delivery_windows to rostrum_relay;

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

-- Every fetch of a message's picture and links, as it came. at is by the organization's clock; link is the trap where
-- it is 65535. verdict is there at once where the request itself tells a machine, and is given a few seconds later where
-- its neighbours must be seen first; why says what told a machine. broadcast_id is there for the first click of a person on
-- a link, and for no other hit: those who followed a link are found by it. No foreign keys, as in deliveries.
create sequence tracking_hit_ids maxvalue 1099511627775;
grant usage on sequence tracking_hit_ids to rostrum_app;
create table tracking_hits (
  org_id uuid not null,
  id bigint not null default first_number_of_month(now()) + nextval('tracking_hit_ids'),
  delivery_id bigint not null,
  kind text not null check (kind in ('open', 'click')),
  link bigint,
  at timestamptz not null,
  agent text not null check (length(agent) <= 300),
  method text not null check (method in ('GET', 'HEAD')),
  verdict text check (verdict in ('human', 'machine')),
  why text,
  broadcast_id uuid,
  primary key (org_id, id)
) partition by range (id);
create table tracking_hits_default partition of tracking_hits default
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
alter table tracking_hits_default enable row level security;
alter table tracking_hits_default force row level security;
create index tracking_hits_of_delivery on tracking_hits (org_id, delivery_id, at);
create index tracking_hits_followed on tracking_hits (org_id, broadcast_id, link, delivery_id)
  where broadcast_id is not null;
create index tracking_hits_unjudged on tracking_hits (org_id, at, id) where verdict is null;
alter table tracking_hits enable row level security;
alter table tracking_hits force row level security;
create policy tenant on tracking_hits to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- Whoever judges goes from organization to organization, and must know where there is something to judge.
create policy relay on tracking_hits for select to rostrum_relay using (true);
grant select, insert, update, delete on tracking_hits to rostrum_app;
grant select (org_id, at, verdict) on tracking_hits to rostrum_relay;

create function delete_tracking_hits_of_org() returns trigger language plpgsql as $$
begin
  delete from tracking_hits where org_id = old.id;
  return null;
end $$;
create trigger tracking_hits_go_with_org after delete on organizations
  for each row execute function delete_tracking_hits_of_org();

-- What tidying calls, part by part until none is left: links that nobody followed, of broadcasts that ended before the
-- first month of the ledger. No message is left that leads there. Clicks are totals, so links that have some stay. A
-- broadcast's id says when it was made; one that took longer than three months to end keeps its links.
create function forget_links(most bigint) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  gone bigint;
  oldest text := (
    select min(right(c.relname::text, 7)) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'deliveries'::regclass and c.relname::text ~ '_[0-9]{4}_[0-9]{2}$');
  first timestamptz := to_timestamp(oldest, 'YYYY_MM')::timestamp at time zone 'UTC';
begin
  delete from broadcast_links l using (
    select u.org_id, u.broadcast_id, u.link from broadcast_links u
    join broadcasts b on b.org_id = u.org_id and b.id = u.broadcast_id
    where u.broadcast_id >= first_uuid_of_month(first - interval '3 months')
      and u.broadcast_id < first_uuid_of_month(first) and u.clicks = 0 and b.finished_at < first
    limit most) old
  where l.org_id = old.org_id and l.broadcast_id = old.broadcast_id and l.link = old.link;
  get diagnostics gone = row_count;
  return gone;
end $$;
revoke all on function forget_links(bigint) from public;
grant execute on function forget_links(bigint) to rostrum_relay;
