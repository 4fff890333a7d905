set local role rostrum_owner;

-- What belongs to the installation and to no organization. rostrum_app cannot reach this schema: inside an organization
-- it is asked through functions of the gate, which tell of no other organization.
create schema installation;
grant usage on schema installation to rostrum_gate, rostrum_relay;

-- Ways out beside the one of the environment, which is called default: the same settings under a name. They are sealed
-- whole; address and connections are repeated for showing. Each change makes a new version.
create table installation.routes (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$' and name <> 'default'),
  channel text not null check (channel in ('email', 'sms')),
  kind text not null,
  address text not null,
  connections bigint,
  settings bytea not null,
  version uuid not null default gen_random_uuid(),
  changed_at timestamptz not null,
  unique (name, channel)
);
alter table installation.routes enable row level security;
alter table installation.routes force row level security;
create policy relay on installation.routes to rostrum_relay using (true) with check (true);
create policy gate on installation.routes for select to rostrum_gate using (true);
grant select, insert, update, delete on installation.routes to rostrum_relay;
grant select (name, version) on installation.routes to rostrum_gate;

-- Which organization uses which; one without a row uses the default.
create table installation.org_routes (
  org_id uuid not null references organizations (id) on delete cascade,
  channel text not null,
  route text not null,
  primary key (org_id, channel),
  foreign key (route, channel) references installation.routes (name, channel)
);
create index org_routes_of_route on installation.org_routes (route, channel);
alter table installation.org_routes enable row level security;
alter table installation.org_routes force row level security;
create policy relay on installation.org_routes to rostrum_relay using (true) with check (true);
create policy gate on installation.org_routes for select to rostrum_gate using (true);
grant select, insert, update, delete on installation.org_routes to rostrum_relay;
grant select on installation.org_routes to rostrum_gate;

-- Until when an organization used a route that it has left: what comes back over that route still counts for messages
-- that went out over it.
create table installation.left_routes (
  org_id uuid not null references organizations (id) on delete cascade,
  channel text not null,
  route text not null,
  left_at timestamptz not null,
  primary key (org_id, channel, route)
);
create index left_routes_of_route on installation.left_routes (route);
alter table installation.left_routes enable row level security;
alter table installation.left_routes force row level security;
create policy relay on installation.left_routes to rostrum_relay using (true) with check (true);
grant select, insert, update, delete on installation.left_routes to rostrum_relay;

-- What the operator did that concerns no single organization.
create table installation.audit_log (
  id uuid primary key,
  at timestamptz not null,
  operation text not null,
  route text not null
);
alter table installation.audit_log enable row level security;
alter table installation.audit_log force row level security;
create policy relay on installation.audit_log to rostrum_relay using (true) with check (true);
grant select, insert on installation.audit_log to rostrum_relay;

-- Receiving domains that asked all of us for less, by the route that mail came from: until slow_until one message goes
-- at a time, not before next_at. By real time, whatever the clocks of test organizations show.
create table installation.slow_domains (
  route text not null,
  domain text not null,
  slow_until timestamptz not null,
  next_at timestamptz not null,
  reason text not null,
  primary key (route, domain)
);
alter table installation.slow_domains enable row level security;
alter table installation.slow_domains force row level security;
create policy gate on installation.slow_domains to rostrum_gate using (true) with check (true);
grant select, insert, update on installation.slow_domains to rostrum_gate;
-- Counted for the operator's metrics, and forgotten when it is long over.
create policy relay on installation.slow_domains to rostrum_relay using (true);
grant select, delete on installation.slow_domains to rostrum_relay;

-- Who asked for a turn at such a domain, who got it, and until when one that did not is expected again. Rows are only
-- added, so that nobody waits for another's transaction.
create table installation.turn_requests (
  route text not null,
  domain text not null,
  org_id uuid not null references organizations (id) on delete cascade,
  asked_at timestamptz not null,
  granted boolean not null,
  expected_until timestamptz not null
);
create index turn_requests_of_domain on installation.turn_requests (route, domain, org_id, asked_at);
create index turn_requests_of_org on installation.turn_requests (org_id);
alter table installation.turn_requests enable row level security;
alter table installation.turn_requests force row level security;
create policy gate on installation.turn_requests to rostrum_gate using (true) with check (true);
grant select, insert, delete on installation.turn_requests to rostrum_gate;
create policy relay on installation.turn_requests to rostrum_relay using (true);
grant select, delete on installation.turn_requests to rostrum_relay;

-- How much of a budget each process has, and until when: connections to a mail server, messages under way to a receiver.
-- Lost with a crash, which only has them leased anew.
create unlogged table installation.budget_shares (
  budget text not null,
  process uuid not null,
  share bigint not null check (share >= 0),
  leased_until timestamptz not null,
  primary key (budget, process)
);
alter table installation.budget_shares enable row level security;
alter table installation.budget_shares force row level security;
create policy relay on installation.budget_shares to rostrum_relay using (true) with check (true);
grant select, insert, update, delete on installation.budget_shares to rostrum_relay;

set local role rostrum_gate;

-- How far the clock of the organization is ahead: times go in and out by its clock.
create function gate.clock_ahead() returns interval language sql stable security definer set search_path = public, pg_temp
as $$ select make_interval(secs => clock_ahead_ms / 1000.0) from organizations where id = current_org() $$;
revoke all on function gate.clock_ahead() from public;

create function gate.email_route() returns text language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce((select route from installation.org_routes where org_id = current_org() and channel = 'email'), 'default')
$$;
revoke all on function gate.email_route() from public;

-- The route of the organization's own, if it has one.
create function gate.route_of(wanted text) returns table (name text, version uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.name, r.version from installation.org_routes o join installation.routes r on r.name = o.route
  where o.org_id = current_org() and o.channel = wanted
$$;

create function gate.slow_domains(wanted text[], at timestamptz)
returns table (domain text, slow_until timestamptz, next_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.domain, d.slow_until + ahead, d.next_at + ahead
  from installation.slow_domains d, gate.clock_ahead() ahead
  where d.route = gate.email_route() and d.domain = any(wanted) and d.slow_until > at - ahead
$$;

-- Takes the turn at each domain where one is to be had; the next is then at next_turn. An organization gives way to one
-- that is expected back and has had no turn for longer. A turn that another transaction is taking is not waited for.
create function gate.take_turns(wanted text[], at timestamptz, next_turn timestamptz) returns setof text
language sql volatile security definer set search_path = public, pg_temp as $$
  with clock as (
    select at - ahead as now, next_turn - at as every, gate.email_route() as route from gate.clock_ahead() ahead),
  slow as (
    select d.route, d.domain, d.next_at, (
        select max(r.asked_at) from installation.turn_requests r
        where r.route = d.route and r.domain = d.domain and r.org_id = current_org() and r.granted) as had_at
    from installation.slow_domains d, clock
    where d.route = clock.route and d.domain = any(wanted) and d.slow_until > clock.now),
  free as (
    select d.route, d.domain from installation.slow_domains d join slow using (route, domain), clock
    where d.next_at <= clock.now and not exists (
      select 1 from installation.turn_requests r
      where r.route = d.route and r.domain = d.domain and r.org_id <> current_org() and not r.granted
        and r.expected_until > clock.now
        and slow.had_at > coalesce((
          select max(g.asked_at) from installation.turn_requests g
          where g.route = r.route and g.domain = r.domain and g.org_id = r.org_id and g.granted), '-infinity'))
    order by d.domain for update of d skip locked),
  taken as (
    update installation.slow_domains d set next_at = clock.now + clock.every
    from free, clock where d.route = free.route and d.domain = free.domain returning d.domain),
  forgotten as (
    delete from installation.turn_requests r using taken, clock
    where r.route = clock.route and r.domain = taken.domain and r.asked_at < clock.now - interval '3 hours'),
  noted as (
    insert into installation.turn_requests (route, domain, org_id, asked_at, granted, expected_until)
    select slow.route, slow.domain, current_org(), clock.now, taken.domain is not null,
      case when slow.next_at > clock.now then slow.next_at else clock.now + clock.every end + clock.every / 2
    from slow left join taken using (domain), clock)
  select domain from taken
$$;

-- A domain asked all of us for less who send over a route. A row that covers almost as long, or that another transaction
-- is changing, stays. What an organization hears over a route it has left meanwhile is nobody's.
create function gate.slow_down(over text, asked text, until timestamptz, next_turn timestamptz, why text)
returns void language sql volatile security definer set search_path = public, pg_temp as $$
  with known as (
    select route, domain from installation.slow_domains d, gate.clock_ahead() ahead
    where route = over and over = gate.email_route() and domain = asked
      and d.slow_until <= until - ahead - interval '5 minutes' for update of d skip locked)
  update installation.slow_domains d set slow_until = until - ahead, next_at = greatest(next_at, next_turn - ahead), reason = why
  from known, gate.clock_ahead() ahead where d.route = known.route and d.domain = known.domain;
  insert into installation.slow_domains (route, domain, slow_until, next_at, reason)
  select over, asked, until - ahead, next_turn - ahead, why from gate.clock_ahead() ahead
  where over = gate.email_route() and not exists (
    select 1 from installation.slow_domains where route = over and domain = asked)
  on conflict do nothing
$$;

revoke all on function gate.route_of(text), gate.slow_domains(text[], timestamptz),
  gate.take_turns(text[], timestamptz, timestamptz), gate.slow_down(text, text, timestamptz, timestamptz, text) from public;
grant execute on function gate.route_of(text), gate.slow_domains(text[], timestamptz),
  gate.take_turns(text[], timestamptz, timestamptz), gate.slow_down(text, text, timestamptz, timestamptz, text) to rostrum_app;
