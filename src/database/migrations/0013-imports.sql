set local role rostrum_owner;

-- A list of people on its way in. While it is a draft, revision counts every change of its mapping and rows, so that a
-- preview can tell whether it still holds. last_row is the number of the last row received, staged_rows how many of
-- those fitted. may_merge are the rows that the preview showed to merge people, where that was allowed: others have
-- no leave to. After the commit done_row is the last row that is dealt with, the counts say how, and run_at is when
-- the engine is told again should nothing have been heard: by the service's clock.
create table imports (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  file_name text not null check (length(file_name) between 1 and 300),
  source text not null check (source in ('rows', 'csv')),
  status text not null check (status in ('draft', 'mapped', 'committing', 'completed', 'completed_with_failures', 'failed')),
  columns jsonb not null,
  sample_rows json,
  mapping jsonb,
  revision bigint not null default 0,
  last_row bigint not null default 0,
  staged_rows bigint not null default 0,
  rejected_rows bigint not null default 0,
  merges text check (merges in ('block', 'skip_rows', 'allow')),
  may_merge jsonb,
  done_row bigint not null default 0,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  skipped bigint not null default 0,
  people_created bigint not null default 0,
  people_merged bigint not null default 0,
  people_opted_out bigint not null default 0,
  run_at timestamptz,
  created_at timestamptz not null,
  committed_at timestamptz,
  finished_at timestamptz,
  primary key (org_id, id)
) with (fillfactor = 50);
create index imports_newest on imports (org_id, created_at desc, id desc);
create index imports_running on imports (run_at) where run_at is not null;
create index imports_drafts on imports (created_at) where committed_at is null;
alter table imports enable row level security;
alter table imports force row level security;
create policy tenant on imports to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep asks which commits stand still, in every organization.
create policy relay on imports for select to rostrum_relay using (true);
grant select, insert, update, delete on imports to rostrum_app;
grant select (org_id, id, run_at, created_at, committed_at) on imports to rostrum_relay;

-- The rows of one call, checked and packed: staging half a thousand is one row written. They are gone once they are
-- dealt with, for they are people's data.
create table import_parts (
  org_id uuid not null,
  import_id uuid not null,
  first_row bigint not null,
  last_row bigint not null,
  rows json not null,
  primary key (org_id, import_id, first_row),
  foreign key (org_id, import_id) references imports (org_id, id) on delete cascade
);
alter table import_parts enable row level security;
alter table import_parts force row level security;
create policy tenant on import_parts to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, delete on import_parts to rostrum_app;

-- Every row that did not make anybody, and why: rejected when it was sent, failed or skipped at the commit. The reason
-- names columns and never repeats what a cell held.
create table import_failures (
  org_id uuid not null,
  import_id uuid not null,
  row bigint not null,
  outcome text not null check (outcome in ('rejected', 'failed', 'skipped')),
  code text not null,
  reason text not null check (length(reason) <= 500),
  primary key (org_id, import_id, outcome, row),
  foreign key (org_id, import_id) references imports (org_id, id) on delete cascade
);
alter table import_failures enable row level security;
alter table import_failures force row level security;
create policy tenant on import_failures to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- Whose are past what is kept.
create policy relay on import_failures for select to rostrum_relay using (true);
grant select, insert, delete on import_failures to rostrum_app;
grant select (org_id, import_id) on import_failures to rostrum_relay;
