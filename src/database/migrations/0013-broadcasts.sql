set local role rostrum_owner;

-- html and message_body are kept as they were sent; body is what was made of them when they were accepted (ADR 22).
-- revision counts what happened to the row: a plan is bound to one, and so is the alarm that begins the sending.
create table broadcasts (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  status text not null default 'draft' check (status in ('draft', 'scheduled', 'sending', 'sent', 'stopped', 'error')),
  channel text not null check (channel in ('email', 'sms')),
  audience text not null check (audience in ('everyone', 'segment', 'webinar')),
  segment_id uuid,
  webinar_id uuid,
  webinar_audience text check (webinar_audience in ('registered', 'attended', 'no_show')),
  webinar_offset_minutes double precision,
  webinar_anchor text check (webinar_anchor in ('start', 'end')),
  subject text,
  preview_text text,
  html text,
  message_body text,
  body jsonb,
  content_hash bytea,
  variables jsonb not null default '{}',
  sender_id uuid,
  revision bigint not null default 1,
  send_at timestamptz,
  paced_over_hours double precision,
  created_by jsonb not null,
  planned_by jsonb,
  scheduled_by jsonb,
  scheduled_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  error text,
  recipients bigint not null default 0,
  sent bigint not null default 0,
  skipped bigint not null default 0,
  failed bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  check (status <> 'draft' or (send_at is null and started_at is null)),
  check (status <> 'scheduled' or (send_at is not null and started_at is null and finished_at is null)),
  check (status <> 'sending' or (started_at is not null and finished_at is null)),
  foreign key (org_id, segment_id) references segments (org_id, id) on delete set null (segment_id),
  foreign key (org_id, webinar_id) references webinars (org_id, id),
  foreign key (org_id, sender_id) references senders (org_id, id) on delete set null (sender_id)
);
create index broadcasts_by_created_at on broadcasts (org_id, created_at, id);
create index broadcasts_of_segment on broadcasts (org_id, segment_id) where segment_id is not null;
create index broadcasts_of_webinar on broadcasts (org_id, webinar_id) where webinar_id is not null;
create index broadcasts_of_sender on broadcasts (org_id, sender_id) where sender_id is not null;
create index broadcasts_begun on broadcasts (org_id, content_hash) where started_at is not null;
create index broadcasts_due on broadcasts (send_at) where status = 'scheduled';
create index broadcasts_due_in_org on broadcasts (org_id, send_at) where status = 'scheduled';
alter table broadcasts enable row level security;
alter table broadcasts force row level security;
create policy tenant on broadcasts to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep tells the engine again of a broadcast whose time has come, on its organization's clock.
create policy relay on broadcasts for select to rostrum_relay using (true);
create policy relay on organizations for select to rostrum_relay using (true);
grant select, insert, update, delete on broadcasts to rostrum_app;
grant select (org_id, id, status, send_at, revision) on broadcasts to rostrum_relay;
grant select (id, clock_ahead_ms) on organizations to rostrum_relay;
