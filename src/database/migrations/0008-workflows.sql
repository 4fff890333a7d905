set local role rostrum_owner;

-- graph is the draft as it was last written; what runs is a version of it, which never changes. The trigger's columns
-- repeat that of the live version, so that a registration or an event finds its workflows at once. resumed_at is when
-- it last went on after a pause: what became due meanwhile was held back, not missed. changed and problems say how the
-- draft stood when it was written, so that a list reads no graphs, which may have megabytes.
create table workflows (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  status text not null default 'draft' check (status in ('draft', 'live', 'paused')),
  graph jsonb not null,
  live_version bigint,
  trigger_kind text check (trigger_kind in ('webinar_registration', 'event')),
  trigger_webinar_id uuid,
  trigger_event text,
  revision bigint not null default 1,
  changed boolean not null default true,
  problems bigint not null default 0,
  resumed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  check ((status = 'draft') = (live_version is null))
);
create index workflows_by_created_at on workflows (org_id, created_at desc, id desc);
create index workflows_on_registration on workflows (org_id, trigger_webinar_id)
  where status = 'live' and trigger_kind = 'webinar_registration';
create index workflows_on_event on workflows (org_id, trigger_event) where status = 'live' and trigger_kind = 'event';
alter table workflows enable row level security;
alter table workflows force row level security;
create policy tenant on workflows to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on workflows to rostrum_app;

-- A graph as it was published, with its messages compiled, and drawn as the draft had it. A run keeps the version it
-- began with.
create table workflow_versions (
  org_id uuid not null,
  workflow_id uuid not null,
  version bigint not null,
  graph jsonb not null,
  drawn jsonb not null,
  published_at timestamptz not null,
  primary key (org_id, workflow_id, version),
  foreign key (org_id, workflow_id) references workflows (org_id, id) on delete cascade
);
alter table workflow_versions enable row level security;
alter table workflow_versions force row level security;
create policy tenant on workflow_versions to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, delete on workflow_versions to rostrum_app;

-- One person's way through a workflow. Where it stands is its wait; path is where it has been and why. One for each
-- registration, one for each event. Of what a row refers to only the person is checked by the database: it goes with it.
create table workflow_runs (
  org_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  version bigint not null,
  person_id uuid not null,
  webinar_id uuid,
  registration_id uuid,
  event_id uuid,
  state text not null default 'running' check (state in ('running', 'ended')),
  outcome text,
  path jsonb not null default '[]',
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (org_id, id),
  check ((state = 'ended') = (ended_at is not null)),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create unique index workflow_runs_of_registration on workflow_runs (org_id, registration_id, workflow_id)
  where registration_id is not null;
create unique index workflow_runs_of_event on workflow_runs (org_id, event_id, workflow_id) where event_id is not null;
create index workflow_runs_of_workflow on workflow_runs (org_id, workflow_id, started_at desc, id desc);
create index workflow_runs_of_person on workflow_runs (org_id, person_id);
alter table workflow_runs enable row level security;
alter table workflow_runs force row level security;
create policy tenant on workflow_runs to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- Whose ended runs are past what is kept.
create policy relay on workflow_runs for select to rostrum_relay using (true);
grant select, insert, update, delete on workflow_runs to rostrum_app;
grant select (org_id, id, state) on workflow_runs to rostrum_relay;

-- How many runs a workflow has begun for each webinar, as a sum of steps (ADR 4): a list says its total without counting
-- a million rows, which took 0.3 s. How many of them are under way tell the waits. forgotten: how many of them are past
-- what is kept, and gone.
create table workflow_run_counts (
  org_id uuid not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  workflow_id uuid not null,
  webinar_id uuid,
  step bigint not null,
  forgotten bigint not null default 0,
  primary key (org_id, workflow_id, id)
);
alter table workflow_run_counts enable row level security;
alter table workflow_run_counts force row level security;
create policy tenant on workflow_run_counts to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on workflow_run_counts to rostrum_relay using (true) with check (true);
grant select, insert on workflow_run_counts to rostrum_app;
-- FOR UPDATE asks for the right to update, though no row is ever changed.
grant select, insert, update, delete on workflow_run_counts to rostrum_relay;

create function count_runs_added() returns trigger language plpgsql as $$
begin
  insert into workflow_run_counts (org_id, workflow_id, webinar_id, step)
    select org_id, workflow_id, webinar_id, count(*) from added group by org_id, workflow_id, webinar_id;
  return null;
end $$;
create function count_runs_removed() returns trigger language plpgsql as $$
begin
  -- An organization deleted whole takes its counts along. Runs past what is kept were begun all the same.
  insert into workflow_run_counts (org_id, workflow_id, webinar_id, step, forgotten)
    select r.org_id, r.workflow_id, r.webinar_id,
      case when current_setting('app.forgetting', true) = 'on' then 0 else -count(*) end,
      case when current_setting('app.forgetting', true) = 'on' then count(*) else 0 end
    from removed r
    where exists (select 1 from organizations o where o.id = r.org_id and o.state <> 'deleting')
    group by r.org_id, r.workflow_id, r.webinar_id;
  return null;
end $$;
create trigger workflow_runs_added after insert on workflow_runs referencing new table as added
  for each statement execute function count_runs_added();
create trigger workflow_runs_removed after delete on workflow_runs referencing old table as removed
  for each statement execute function count_runs_removed();

-- Where a run stands and until when: either due_at, or so many milliseconds from its webinar's start or end, so that
-- moving a webinar moves every one of its waits without touching any (ADR 32). began_at is when the run came here, by
-- its own time. clock_id is the webinar, or the organization for runs without one: the alarm that releases it. held:
-- it became due while its workflow was paused. Person, workflow and version are the run's, repeated so that a release
-- looks at no other table to know what to do. A run that goes on takes its row along.
create table waits (
  org_id uuid not null,
  run_id uuid not null,
  clock_id uuid not null,
  person_id uuid not null,
  workflow_id uuid not null,
  version bigint not null,
  node text not null,
  anchor text check (anchor in ('start', 'end')),
  offset_ms bigint,
  due_at timestamptz,
  began_at timestamptz not null,
  held boolean not null default false,
  primary key (org_id, run_id),
  check ((anchor is null) = (offset_ms is null) and (anchor is null) = (due_at is not null)),
  foreign key (org_id, run_id) references workflow_runs (org_id, id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- Without the run, so that those who wait for the same share an entry: 8 MB for a million waits instead of 118, and a
-- count of them in half the time.
create index waits_anchored on waits (org_id, clock_id, held, anchor, offset_ms) where anchor is not null;
create index waits_timed on waits (org_id, clock_id, held, due_at) where anchor is null;
create index waits_held on waits (org_id, workflow_id) where held;
-- How many stand where in a workflow, and who: 30 ms to count 100,000, where reading everybody's waits took 90 with half
-- a million.
create index waits_at_node on waits (org_id, workflow_id, node);
create index waits_of_workflow on waits (org_id, workflow_id, clock_id);
alter table waits enable row level security;
alter table waits force row level security;
create policy tenant on waits to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on waits to rostrum_app;

-- An alarm for many waits. next_at is the earliest of them, or infinity; busy_by is releasing them until busy_until,
-- should nothing be heard of it.
create table wait_clocks (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  next_at timestamptz not null,
  busy_by text,
  busy_until timestamptz,
  primary key (org_id, id)
) with (fillfactor = 50);
create index wait_clocks_due on wait_clocks (next_at);
alter table wait_clocks enable row level security;
alter table wait_clocks force row level security;
create policy tenant on wait_clocks to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on wait_clocks for select to rostrum_relay using (true);
grant select, insert, update, delete on wait_clocks to rostrum_app;
grant select (org_id, id, next_at, busy_until) on wait_clocks to rostrum_relay;
