-- squawk-ignore-file adding-foreign-key-constraint, constraint-missing-not-valid, require-concurrent-index-creation
-- Columns of tables that nothing wrote to before this release.
set local role rostrum_owner;

-- What the webinar operations keep beside what broadcasts already read. moved_at is when the time was last
-- brought forward, by the organization's clock: what that put into the past was not missed (ADR 32). revision counts the changes.
alter table webinars
  add column provider text,
  add column moved_at timestamptz,
  add column canceled_at timestamptz,
  add column revision bigint not null default 1,
  add column updated_at timestamptz;
create index webinars_by_start on webinars (org_id, start_time desc, id desc);

-- Who said whether somebody attended: what a person or program reported stands against whatever a platform says later.
alter table registrations
  add column attendance_source text check (attendance_source in ('api', 'platform')),
  add column attendance_at timestamptz;
create index registrations_by_time on registrations (org_id, webinar_id, registered_at desc, id desc);

-- The name a caller gave an event: the same one twice is one event.
alter table events add column event_id text check (length(event_id) between 1 and 200);
create unique index events_by_event_id on events (org_id, event_id) where event_id is not null;
