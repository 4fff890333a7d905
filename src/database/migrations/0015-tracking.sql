set local role rostrum_owner;

-- Where the numbered links of a broadcast lead: a fixed address, or the placeholder whose value for the person says.
-- Nothing is ever sent on to an address that comes with the request.
create table broadcast_links (
  org_id uuid not null,
  broadcast_id uuid not null,
  link bigint not null,
  url text,
  placeholder text,
  primary key (org_id, broadcast_id, link),
  check (num_nonnulls(url, placeholder) = 1),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade
);
alter table broadcast_links enable row level security;
alter table broadcast_links force row level security;
create policy tenant on broadcast_links to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert on broadcast_links to rostrum_app;

-- Every fetch of a message's picture and links, as it came. at is by the organization's clock; link is the trap where
-- it is 65535. verdict is there at once where the request itself tells a machine, and is given a few seconds later where
-- its neighbours must be seen first; why says what told a machine. No foreign keys, as in deliveries.
create table tracking_hits (
  org_id uuid not null,
  id bigint generated always as identity,
  delivery_id bigint not null,
  kind text not null check (kind in ('open', 'click')),
  link bigint,
  at timestamptz not null,
  agent text not null check (length(agent) <= 300),
  method text not null check (method in ('GET', 'HEAD')),
  verdict text check (verdict in ('human', 'machine')),
  why text,
  primary key (org_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index tracking_hits_of_delivery on tracking_hits (org_id, delivery_id, at);
create index tracking_hits_unjudged on tracking_hits (org_id, at, id) where verdict is null;
alter table tracking_hits enable row level security;
alter table tracking_hits force row level security;
create policy tenant on tracking_hits to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- Whoever judges goes from organization to organization, and must know where there is something to judge.
create policy relay on tracking_hits for select to rostrum_relay using (true);
grant select, insert, update, delete on tracking_hits to rostrum_app;
grant select (org_id, verdict) on tracking_hits to rostrum_relay;

create function delete_tracking_hits_of_org() returns trigger language plpgsql as $$
begin
  delete from tracking_hits where org_id = old.id;
  return null;
end $$;
create trigger tracking_hits_go_with_org after delete on organizations
  for each row execute function delete_tracking_hits_of_org();

-- How engaged a person is: raw is a sum of weights that halve every 30 days, and log2(raw) + t / 30 days does not change
-- while time goes by. So it is written only when something happens, and "a score of at least x" is "engagement of at
-- least f(now)" at any moment. t counts from 1970. Adding two of them adds what they stand for; the smaller one counts
-- for nothing long before the power would underflow, which PostgreSQL refuses.
create function add_engagement(a double precision, b double precision) returns double precision
  language sql immutable parallel safe
  return case
    when a is null then b
    when b is null then a
    else greatest(a, b) + ln(1 + power(2::double precision, greatest(-abs(a - b), -200))) / ln(2::double precision)
  end;
create aggregate sum_engagement(double precision)
  (sfunc = add_engagement, stype = double precision, parallel = safe);
create function engagement_of(weight double precision, at timestamptz) returns double precision
  language sql stable parallel safe
  return ln(weight) / ln(2::double precision) + extract(epoch from at)::double precision / (30 * 86400);

-- Nothing has written the score yet but made-up people, so nothing is carried over and nobody reads the old column. The
-- index: of 200,000 people, those with a score of at least 95 were found in 12 ms instead of 113, and writing a person
-- cost no more, because when somebody last opened a message has an index anyway.
alter table people add column engagement double precision;
-- squawk-ignore ban-drop-column
alter table people drop column email_engagement_score;
-- squawk-ignore require-concurrent-index-creation
create index people_by_engagement on people (org_id, engagement) where engagement is not null;
