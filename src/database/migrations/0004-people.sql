set local role rostrum_owner;

-- primary_email, primary_phone, external_user_id and primary_contact_method repeat what the identifiers say, because
-- lists filter and sort by them. mrr and ltv are minor units. Names sort as people read them, addresses bytewise.
-- other_email is where email goes to when the primary address may not be written to, or there is none: the oldest that
-- may. Hardly anybody has one, so that nothing else of a person needs to be looked at.
create table people (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  first_name text collate "und-x-icu",
  last_name text collate "und-x-icu",
  primary_email text collate "C",
  primary_phone text collate "C",
  external_user_id text collate "C",
  primary_contact_method text check (primary_contact_method in ('email', 'phone')),
  subscription_status text check (subscription_status in ('incomplete', 'incomplete_expired', 'trialing', 'active',
    'past_due', 'canceled', 'unpaid', 'paused', 'inactive')),
  payment_processor text check (payment_processor in ('processor_a', 'processor_b', 'processor_c')),
  mrr bigint not null default 0,
  ltv bigint not null default 0,
  first_payment_date timestamptz,
  next_payment_date timestamptz,
  cancels_at timestamptz,
  last_opened_at timestamptz,
  last_clicked_at timestamptz,
  last_replied_at timestamptz,
  health_score double precision,
  health_band text check (health_band in ('critical', 'low', 'moderate', 'healthy', 'power')),
  health_trend text check (health_trend in ('rising', 'steady', 'falling')),
  score_change_7d double precision,
  primary_team_member uuid,
  assigned_team_members uuid[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  engagement double precision,
  other_email text collate "C",
  primary key (org_id, id)
);
-- One index a sort, read in both directions; people without a value stand together at one end and are read apart.
create index people_by_created_at on people (org_id, created_at, id);
create index people_by_mrr on people (org_id, mrr, id);
create index people_by_ltv on people (org_id, ltv, id);
create index people_by_first_name on people (org_id, first_name, id);
create index people_by_last_name on people (org_id, last_name, id);
create index people_by_primary_email on people (org_id, primary_email, id);
create index people_by_last_opened_at on people (org_id, last_opened_at, id);
create index people_by_last_clicked_at on people (org_id, last_clicked_at, id);
-- For the filters of a list: counting one status must not read everybody.
create index people_by_subscription_status on people (org_id, subscription_status) where subscription_status is not null;
create index people_by_payment_processor on people (org_id, payment_processor) where payment_processor is not null;
create index people_by_health_band on people (org_id, health_band) where health_band is not null;
-- Of 200,000 people, those with a score of at least 95 were found in 12 ms instead of 113, and writing a person cost no
-- more, because when somebody last opened a message has an index anyway.
create index people_by_engagement on people (org_id, engagement) where engagement is not null;
alter table people enable row level security;
alter table people force row level security;
create policy tenant on people to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on people to rostrum_app;

-- How many people an organization has, as a sum of steps: writers only ever insert, so they never wait for each other,
-- and a sweep folds the steps together. Counting a million rows for every list would cost 80 ms; this costs one.
create table people_counts (
  org_id uuid not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  step bigint not null,
  primary key (org_id, id)
);
alter table people_counts enable row level security;
alter table people_counts force row level security;
create policy tenant on people_counts to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on people_counts to rostrum_relay using (true) with check (true);
grant select, insert on people_counts to rostrum_app;
-- FOR UPDATE asks for the right to update, though no row is ever changed.
grant select, insert, update, delete on people_counts to rostrum_relay;

create function count_people_added() returns trigger language plpgsql as $$
begin
  insert into people_counts (org_id, step) select org_id, count(*) from added group by org_id;
  return null;
end $$;
create function count_people_removed() returns trigger language plpgsql as $$
begin
  -- An organization deleted whole takes its counts along.
  insert into people_counts (org_id, step)
    select r.org_id, -count(*) from removed r where exists (
      select 1 from organizations o where o.id = r.org_id and o.state <> 'deleting')
    group by r.org_id;
  return null;
end $$;
create trigger people_added after insert on people referencing new table as added
  for each statement execute function count_people_added();
create trigger people_removed after delete on people referencing old table as removed
  for each statement execute function count_people_removed();

-- Where a merged person went.
create table merged_people (
  org_id uuid not null,
  id uuid not null,
  survivor_id uuid not null,
  merged_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, survivor_id) references people (org_id, id) on delete cascade
);
create index merged_people_survivor on merged_people (org_id, survivor_id);
alter table merged_people enable row level security;
alter table merged_people force row level security;
create policy tenant on merged_people to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on merged_people to rostrum_app;

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

-- What a value can be found by: each three letters in a row, hashed together with the organization. So a search reads
-- postings of its own organization alone, whatever letters others share.
create function search_keys(org uuid, folded text) returns bigint[] language plpgsql immutable strict parallel safe as $$
declare
  seed bigint := uuid_hash_extended(org, 0);
  keys bigint[] := '{}';
begin
  for n in 1..greatest(1, length(folded) - 2) loop
    keys := keys || hashtextextended(substr(folded, n, 3), seed);
  end loop;
  return keys;
end $$;

-- A phone number as a network writes it, however somebody typed it.
create function dialed(phone text) returns text language sql immutable strict parallel safe as
  $$ select translate(phone, ' ().-', '') $$;

create table identifiers (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  type text not null check (type in ('email', 'phone', 'user_id', 'org_assigned_user_id', 'payment_customer_id',
    'anonymous_id', 'chat', 'chat_user_id', 'chat_channel', 'messenger', 'full_name')),
  value text not null check (length(value) between 1 and 512),
  -- For search alone: folded once when written, a byte-wise LIKE reads it ten times faster than ILIKE reads the value.
  -- A capital sigma becomes another small one at the end of a word than within it; folding knows only one of the two.
  folded text collate "C" not null generated always as (translate(lower(value collate "und-x-icu"), 'ς', 'σ')) stored,
  is_contact_method boolean not null default false,
  is_primary_for_type boolean not null default false,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  -- A number is compared in E.164, in value; this is what somebody wrote, where that differs.
  typed text check (length(typed) between 1 and 512),
  primary key (org_id, id),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
-- A name or a channel may be shared; every other value has one holder in its organization.
create unique index identifiers_one_holder on identifiers (org_id, type, value)
  where type not in ('full_name', 'chat_channel');
create unique index identifiers_of_person on identifiers (org_id, person_id, type, value);
create unique index identifiers_one_primary on identifiers (org_id, person_id, type) where is_primary_for_type;
create index identifiers_by_number on identifiers (org_id, dialed(value)) where type = 'phone';
create index identifiers_search on identifiers using gin (search_keys(org_id, folded));
alter table identifiers enable row level security;
alter table identifiers force row level security;
create policy tenant on identifiers to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy gate on identifiers for select to rostrum_gate using (true);
grant select, insert, update, delete on identifiers to rostrum_app;
grant select on identifiers to rostrum_gate;

-- LIKE and array containment may not go below row level security into an index, so the search runs as a role that sees
-- every row and is bound here to the organization of the transaction. Text that is common is answered from the first
-- rows met. Rarer text goes through the index by its few rarest keys, as a sample shows them: at a million people four
-- rare keys took 2 ms where all of a phone number's took 105. Text shorter than a key reads the whole organization.
set local role rostrum_gate;
create function gate.search_people(wanted text, most int) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  org uuid := public.current_org();
  folded_text text := translate(lower(wanted collate "und-x-icu"), 'ς', 'σ');
  pattern text := '%' || regexp_replace(folded_text, '([\\%_])', '\\\1', 'g') || '%';
  keys bigint[];
  matches refcursor;
  candidate uuid;
  people uuid[] := '{}';
begin
  for candidate in
    select s.person_id from (
      select i.person_id, i.folded from identifiers i where i.org_id = org order by i.org_id, i.person_id limit 2000
    ) s where s.folded like pattern
  loop
    if candidate <> all (people) then people := people || candidate; end if;
    if cardinality(people) = most then
      return query select unnest(people);
      return;
    end if;
  end loop;

  select array_agg(hashtextextended(rarest.part, uuid_hash_extended(org, 0))) into keys from (
    select parts.part from (
      select distinct substr(folded_text, n, 3) as part from generate_series(1, least(40, length(folded_text) - 2)) n
    ) parts
    left join (
      select i.folded from identifiers i where i.org_id = org order by i.org_id, i.person_id limit 100
    ) sample on position(parts.part in sample.folded) > 0
    group by parts.part
    order by count(sample.folded), parts.part
    limit 4
  ) rarest;
  if keys is null then
    open matches for select i.person_id from identifiers i where i.org_id = org and i.folded like pattern;
  else
    open matches for select i.person_id from identifiers i
      where i.org_id = org and search_keys(i.org_id, i.folded) @> keys and i.folded like pattern;
  end if;
  while cardinality(people) < most loop
    fetch matches into candidate;
    exit when not found;
    if candidate <> all (people) then people := people || candidate; end if;
  end loop;
  return query select unnest(people);
end $$;
revoke all on function gate.search_people(text, int) from public;
grant execute on function gate.search_people(text, int) to rostrum_app;

-- Who has a number, in the organization of the transaction. A function over a column may not go below row level security
-- into an index, so this runs as the role that sees every row, as the search does.
create function gate.people_with_number(wanted text) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct i.person_id from identifiers i
  where i.org_id = public.current_org() and i.type = 'phone' and public.dialed(i.value) = wanted
  order by 1
$$;
revoke all on function gate.people_with_number(text) from public;
grant execute on function gate.people_with_number(text) to rostrum_app;
