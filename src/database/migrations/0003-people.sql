set local role rostrum_owner;

-- primary_email, primary_phone, external_user_id and primary_contact_method repeat what the identifiers say, because
-- lists filter and sort by them. mrr and ltv are minor units. Names sort as people read them, addresses bytewise.
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
  email_engagement_score double precision,
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
    select r.org_id, -count(*) from removed r where exists (select 1 from organizations o where o.id = r.org_id)
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
