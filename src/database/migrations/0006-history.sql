set local role rostrum_owner;

-- What goes with a deleted person: its timeline, its opt-outs, its payments mirror, its signals.
-- event_id is the name a caller gave an event.
create table events (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  custom_properties jsonb not null default '{}',
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  event_id text check (length(event_id) between 1 and 200),
  primary key (org_id, id),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
) partition by range (id);
create table events_default partition of events default;
alter table events_default enable row level security;
alter table events_default force row level security;
create index events_of_person on events (org_id, person_id, occurred_at desc, id desc);
alter table events enable row level security;
alter table events force row level security;
create policy tenant on events to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on events to rostrum_app;

-- The names callers gave events: the same one twice is one event, in whichever months they come. id is the event's.
create table named_events (
  org_id uuid not null,
  event_id text not null,
  person_id uuid not null,
  id uuid not null,
  primary key (org_id, event_id),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
create index named_events_of_person on named_events (org_id, person_id);
-- What is older than every month of events is found by it, whoever's it is.
create index named_events_by_id on named_events (id);
alter table named_events enable row level security;
alter table named_events force row level security;
create policy tenant on named_events to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- Names go after the month of their events (forget_event_names).
create policy months on named_events to rostrum_owner using (true);
grant select, insert, update, delete on named_events to rostrum_app;

-- What tidying calls, part by part until none is left: names of events whose month is gone. Answers how many went.
create function forget_event_names(most bigint) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  gone bigint;
  first text := (
    select min(right(c.relname::text, 7)) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname::text ~ '_[0-9]{4}_[0-9]{2}$');
begin
  if first is null then return 0; end if;
  delete from named_events where id = any(array(
    select id from named_events
    where id < first_uuid_of_month(to_timestamp(first, 'YYYY_MM')::timestamp at time zone 'UTC')
    order by id limit most for update skip locked));
  get diagnostics gone = row_count;
  return gone;
end $$;
revoke all on function forget_event_names(bigint) from public;
grant execute on function forget_event_names(bigint) to rostrum_relay;

-- …_out_by is which message's recipient opted out by that message's own link or address: only there is the way back.
-- Nothing, when anybody else said it, before or after: then it is theirs to lift.
create table opt_outs (
  org_id uuid not null,
  person_id uuid not null,
  email_opt_out boolean not null,
  sms_opt_out boolean not null,
  updated_at timestamptz not null,
  email_out_by bigint,
  sms_out_by bigint,
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
alter table opt_outs enable row level security;
alter table opt_outs force row level security;
create policy tenant on opt_outs to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on opt_outs to rostrum_app;

-- Addresses that must not be mailed.
create table email_blacklist (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  email text collate "C" not null,
  reason text not null check (reason in ('bounced', 'complained', 'blacklisted')),
  created_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, person_id, email),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
-- Asked by address: a bounce or a complaint may have come for somebody who had it before.
create index email_blacklist_by_email on email_blacklist (org_id, email);
alter table email_blacklist enable row level security;
alter table email_blacklist force row level security;
create policy tenant on email_blacklist to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on email_blacklist to rostrum_app;

-- A mirror of the payment processor; cost in minor units.
create table subscriptions (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  processor text not null check (processor in ('processor_a', 'processor_b', 'processor_c')),
  processor_subscription_id text not null,
  status text not null check (status in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due',
    'canceled', 'unpaid', 'paused', 'inactive')),
  item_names text[] not null default '{}',
  cost bigint not null default 0,
  started_at timestamptz,
  canceled_at timestamptz,
  current_period_start timestamptz,
  current_period_end timestamptz,
  trial_start timestamptz,
  trial_end timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, processor, processor_subscription_id),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
create index subscriptions_of_person on subscriptions (org_id, person_id, created_at desc, id desc);
alter table subscriptions enable row level security;
alter table subscriptions force row level security;
create policy tenant on subscriptions to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on subscriptions to rostrum_app;

create table signals (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  kind text not null check (length(kind) between 1 and 100),
  detail jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
create index signals_of_person on signals (org_id, person_id);
alter table signals enable row level security;
alter table signals force row level security;
create policy tenant on signals to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on signals to rostrum_app;

-- What outlives a deleted person, detached from it: money, and what was sent (0012-ledger.sql).
create table purchases (
  org_id uuid not null,
  id uuid not null,
  person_id uuid,
  processor text not null check (processor in ('processor_a', 'processor_b', 'processor_c')),
  processor_payment_id text not null,
  amount bigint not null,
  paid_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, processor, processor_payment_id),
  foreign key (org_id, person_id) references people (org_id, id) on delete set null (person_id)
);
create index purchases_of_person on purchases (org_id, person_id) where person_id is not null;
alter table purchases enable row level security;
alter table purchases force row level security;
create policy tenant on purchases to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on purchases to rostrum_app;

-- What holds a person back from deletion.
create table tasks (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  title text not null check (length(title) between 1 and 500),
  created_at timestamptz not null,
  done_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, person_id) references people (org_id, id) on delete restrict
);
create index tasks_of_person on tasks (org_id, person_id);
alter table tasks enable row level security;
alter table tasks force row level security;
create policy tenant on tasks to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on tasks to rostrum_app;

create table connection_invites (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, person_id) references people (org_id, id) on delete restrict
);
create index connection_invites_of_person on connection_invites (org_id, person_id);
alter table connection_invites enable row level security;
alter table connection_invites force row level security;
create policy tenant on connection_invites to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on connection_invites to rostrum_app;

-- A keyed hash of each address whose suppressed holder was deleted: whoever brings it back is opted out at once.
create table suppressed_addresses (
  org_id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  address_hash bytea not null,
  suppressed_at timestamptz not null,
  primary key (org_id, channel, address_hash),
  foreign key (org_id) references organizations (id) on delete cascade
);
alter table suppressed_addresses enable row level security;
alter table suppressed_addresses force row level security;
create policy tenant on suppressed_addresses to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, delete on suppressed_addresses to rostrum_app;
