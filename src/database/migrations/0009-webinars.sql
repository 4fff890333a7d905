set local role rostrum_owner;

-- moved_at is when the time was last brought forward, by the organization's clock: what that put into the past was not
-- missed (ADR 32). revision counts the changes.
create table webinars (
  org_id uuid not null,
  id uuid not null,
  title text not null check (length(title) between 1 and 500),
  start_time timestamptz not null,
  created_at timestamptz not null,
  status text not null default 'scheduled' check (status in ('draft', 'scheduled', 'canceled')),
  timezone text,
  duration_minutes double precision check (duration_minutes > 0 and duration_minutes <= 100000),
  join_url text,
  provider text,
  moved_at timestamptz,
  canceled_at timestamptz,
  revision bigint not null default 1,
  updated_at timestamptz,
  automation_id uuid,
  primary key (org_id, id),
  foreign key (org_id) references organizations (id) on delete cascade,
  foreign key (org_id, automation_id) references workflows (org_id, id) on delete set null (automation_id)
);
create index webinars_by_start on webinars (org_id, start_time desc, id desc);
alter table webinars enable row level security;
alter table webinars force row level security;
create policy tenant on webinars to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on webinars to rostrum_app;

-- attendance_source: who said whether somebody attended; what a person or program reported stands against whatever a
-- platform says later. external_id is what the platform calls the registrant. push_link is the link it is or was pushed
-- for. push_next_at is there while the registrant is still to be pushed, or pushed again; push_attempts counts what the
-- platform may have counted.
create table registrations (
  org_id uuid not null,
  id uuid not null,
  webinar_id uuid not null,
  person_id uuid not null,
  registered_at timestamptz not null,
  attended boolean not null default false,
  join_url text,
  attendance_source text check (attendance_source in ('api', 'platform')),
  attendance_at timestamptz,
  external_id text,
  push_link uuid,
  push_state text check (push_state in ('pending', 'registered', 'refused')),
  push_attempts bigint not null default 0,
  push_next_at timestamptz,
  push_error text,
  primary key (org_id, id),
  unique (org_id, webinar_id, person_id),
  foreign key (org_id, webinar_id) references webinars (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
create index registrations_of_person on registrations (org_id, person_id);
create index registrations_by_time on registrations (org_id, webinar_id, registered_at desc, id desc);
create index registrations_by_external_id on registrations (org_id, webinar_id, external_id)
  where external_id is not null;
create index registrations_to_push on registrations (org_id, webinar_id, push_next_at) where push_next_at is not null;
alter table registrations enable row level security;
alter table registrations force row level security;
create policy tenant on registrations to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep asks which webinars have registrants to push.
create policy relay on registrations for select to rostrum_relay using (true);
grant select, insert, update, delete on registrations to rostrum_app;
grant select (org_id, webinar_id, push_next_at) on registrations to rostrum_relay;

-- An organization's account with a webinar platform. Which platforms there are, the service says. details is what the
-- account was connected with beside account_id, as far as it is no secret; secrets is sealed by the service, for this
-- row alone. trouble is why the platform last turned the account itself away; nothing when it last did not.
create table platform_connections (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  platform text not null,
  account_id text not null check (length(account_id) between 1 and 200),
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  secrets bytea not null,
  trouble text,
  trouble_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, platform, account_id)
);
alter table platform_connections enable row level security;
alter table platform_connections force row level security;
create policy tenant on platform_connections to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on platform_connections to rostrum_app;

-- A webinar that takes place as an event on a platform. id is another for every event it was ever linked to. Who had
-- registered before is pushed bit by bit: push_after is the last person that was looked at, nothing when all were.
-- Whoever has the last push_ticket pushes its registrants, until push_until should nothing be heard of it: by the
-- service's clock, as platforms count by the world's days. sync_at is when the report is read next, by the
-- organization's clock, because a webinar ends by that; while somebody with the last sync_ticket reads it, it is when
-- they are given up on.
create table platform_links (
  org_id uuid not null,
  webinar_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  event_id text not null check (length(event_id) between 1 and 100),
  linked_at timestamptz not null,
  push_ticket bigint not null default 0,
  push_until timestamptz,
  push_after uuid,
  sync_at timestamptz,
  sync_ticket bigint not null default 0,
  sync_tries bigint not null default 0,
  sync_trouble text,
  sync_strangers bigint not null default 0,
  synced_at timestamptz,
  primary key (org_id, webinar_id),
  foreign key (org_id, webinar_id) references webinars (org_id, id) on delete cascade,
  foreign key (org_id, connection_id) references platform_connections (org_id, id) on delete restrict
) with (fillfactor = 50);
create index platform_links_of_event on platform_links (org_id, connection_id, event_id);
create index platform_links_to_sync on platform_links (sync_at) where sync_at is not null;
create index platform_links_to_push on platform_links (push_until) where push_after is not null;
alter table platform_links enable row level security;
alter table platform_links force row level security;
create policy tenant on platform_links to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep asks which reports are due and which links have registrants to find, in every organization.
create policy relay on platform_links for select to rostrum_relay using (true);
grant select, insert, update, delete on platform_links to rostrum_app;
grant select (org_id, webinar_id, sync_at, push_after, push_until) on platform_links to rostrum_relay;
