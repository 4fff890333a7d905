set local role rostrum_owner;

-- html and message_body are kept as they were sent; body is what was made of them when they were accepted (ADR 22).
-- revision counts what happened to the row: a plan is bound to one, and so is the alarm that begins the sending.
-- The totals follow the ledger by its triggers; pending counts what is being handed over, too. prepared_through is the
-- last person the audience was read up to; prepared_at is when everybody was in the ledger. set_aside is what a draft
-- says on the channel that it does not have now, so that turning it back loses nothing.
-- planned_recipients is how many were in the audience when it was planned or released. held_at: its time came, and
-- held_recipients, how many there were then, differed from that by more than hold_if_audience_changes_by percent (ADR 94).
-- ends_as: some of its recipients are sent to again, and this is its status once that is over (ADR 95).
-- What a workflow sends at one of its nodes, for one webinar, is kept as a broadcast whose audience grows: recipients
-- are added as runs come by, and everything from the ledger on is the same (ADR 31). Such rows are no broadcasts to
-- callers: they have the audience `workflow`. attaches_calendar: its emails confirm registrations, and bring the webinar
-- as a calendar file (ADR 97).
create table broadcasts (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  status text not null default 'draft' check (status in ('draft', 'scheduled', 'sending', 'sent', 'stopped', 'error')),
  channel text not null check (channel in ('email', 'sms')),
  audience text not null check (audience in ('everyone', 'segment', 'webinar', 'workflow')),
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
  pending bigint not null default 0,
  uncertain bigint not null default 0,
  delivered bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  bounced bigint not null default 0,
  complained bigint not null default 0,
  unsubscribed bigint not null default 0,
  prepared_through uuid,
  prepared_at timestamptz,
  workflow_id uuid,
  workflow_version bigint,
  node text,
  set_aside jsonb,
  attaches_calendar boolean not null default false,
  hold_if_audience_changes_by bigint check (hold_if_audience_changes_by between 1 and 100),
  planned_recipients bigint,
  held_at timestamptz,
  held_recipients bigint,
  ends_as text check (ends_as in ('sent', 'stopped', 'error')),
  primary key (org_id, id),
  check (status <> 'draft' or (send_at is null and started_at is null)),
  check (status <> 'scheduled' or (send_at is not null and started_at is null and finished_at is null)),
  check (status <> 'sending' or (started_at is not null and finished_at is null)),
  check (held_at is null or (status = 'scheduled' and num_nulls(planned_recipients, held_recipients) = 0)),
  constraint broadcasts_of_workflows check
    ((audience = 'workflow') = (workflow_id is not null and workflow_version is not null and node is not null)),
  foreign key (org_id, segment_id) references segments (org_id, id) on delete set null (segment_id),
  foreign key (org_id, webinar_id) references webinars (org_id, id),
  foreign key (org_id, sender_id) references senders (org_id, id) on delete set null (sender_id),
  foreign key (org_id, workflow_id) references workflows (org_id, id) on delete cascade
);
-- Lists show broadcasts only, however many mailings there are.
create index broadcasts_by_created_at on broadcasts (org_id, created_at, id) where workflow_id is null;
create index broadcasts_of_segment on broadcasts (org_id, segment_id) where segment_id is not null;
create index broadcasts_of_webinar on broadcasts (org_id, webinar_id) where webinar_id is not null;
create index broadcasts_of_sender on broadcasts (org_id, sender_id) where sender_id is not null;
create index broadcasts_begun on broadcasts (org_id, content_hash) where started_at is not null;
create index broadcasts_due on broadcasts (send_at) where status = 'scheduled' and held_at is null;
create index broadcasts_due_in_org on broadcasts (org_id, send_at) where status = 'scheduled' and held_at is null;
create unique index broadcasts_of_node on broadcasts
  (org_id, workflow_id, workflow_version, node, (coalesce(webinar_id, org_id))) where workflow_id is not null;
-- Whoever deletes or merges a person waits for audiences that are being read: those of its organization, found at once.
create index broadcasts_unprepared on broadcasts (org_id, id)
  where status in ('scheduled', 'sending') and prepared_at is null;
alter table broadcasts enable row level security;
alter table broadcasts force row level security;
create policy tenant on broadcasts to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep tells the engine again of a broadcast whose time has come, on its organization's clock.
create policy relay on broadcasts for select to rostrum_relay using (true);
create policy months on broadcasts for select to rostrum_owner using (true);
grant select, insert, update, delete on broadcasts to rostrum_app;
grant select (org_id, id, status, send_at, held_at, revision) on broadcasts to rostrum_relay;

-- Where the numbered links of a broadcast lead: a fixed address, or the placeholder whose value for the person says.
-- Nothing is ever sent on to an address that comes with the request. clicks is how often people followed it, clicked out
-- of how many messages, kept by whoever judges hits: to read them for a broadcast would mean reading everybody's hits.
create table broadcast_links (
  org_id uuid not null,
  broadcast_id uuid not null,
  link bigint not null,
  url text,
  placeholder text,
  clicks bigint not null default 0,
  clicked bigint not null default 0,
  primary key (org_id, broadcast_id, link),
  check (num_nonnulls(url, placeholder) = 1),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade
);
alter table broadcast_links enable row level security;
alter table broadcast_links force row level security;
create policy tenant on broadcast_links to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- Links that nobody followed go after the messages they were in (forget_links), found by the age of their broadcast.
create index broadcast_links_by_age on broadcast_links (broadcast_id);
create policy months on broadcast_links to rostrum_owner using (true);
grant select, insert, update (clicks, clicked) on broadcast_links to rostrum_app;

-- How many were sent, opened and clicked in each quarter of an hour: the smallest step between two time zones, so days
-- can be made of them in any. Also how many were refused for good when they were handed over, how many bounced for good
-- later and how many complained: by these an organization's sending is judged (ADR 64).
create table broadcast_tallies (
  org_id uuid not null,
  broadcast_id uuid not null,
  kind text not null check (kind in ('sent', 'opened', 'clicked', 'refused', 'bounced', 'complained')),
  quarter timestamptz not null,
  count bigint not null,
  primary key (org_id, broadcast_id, kind, quarter),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade
);
create index broadcast_tallies_of_org on broadcast_tallies (org_id, quarter)
  where kind in ('sent', 'refused', 'bounced', 'complained');
create index broadcast_tallies_of_trouble on broadcast_tallies (quarter) where kind in ('refused', 'bounced', 'complained');
alter table broadcast_tallies enable row level security;
alter table broadcast_tallies force row level security;
create policy tenant on broadcast_tallies to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on broadcast_tallies for select to rostrum_relay using (true);
grant select, insert, update, delete on broadcast_tallies to rostrum_app;
grant select (org_id, kind, quarter, count) on broadcast_tallies to rostrum_relay;

-- Why recipients were skipped, failed or are uncertain. Whoever is sent to again is counted no more.
create table broadcast_reasons (
  org_id uuid not null,
  broadcast_id uuid not null,
  outcome text not null check (outcome in ('skipped', 'failed', 'uncertain')),
  reason text not null,
  count bigint not null,
  primary key (org_id, broadcast_id, outcome, reason),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade
);
alter table broadcast_reasons enable row level security;
alter table broadcast_reasons force row level security;
create policy tenant on broadcast_reasons to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on broadcast_reasons to rostrum_app;

-- A broadcast that somebody wants to see in a mailbox of their own. It is sent once, by whoever takes it: addresses and
-- whose values it was to have go at that moment, and the row stays for a day to be counted. By the service's clock, as
-- mailboxes go by the world's days.
create table test_sends (
  org_id uuid not null,
  id uuid not null,
  broadcast_id uuid not null,
  person_id uuid,
  addresses text[] not null,
  messages bigint not null,
  created_at timestamptz not null,
  taken_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, broadcast_id) references broadcasts (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
create index test_sends_untaken on test_sends (created_at) where taken_at is null;
create index test_sends_of_broadcast on test_sends (org_id, broadcast_id);
create index test_sends_of_person on test_sends (org_id, person_id) where person_id is not null;
alter table test_sends enable row level security;
alter table test_sends force row level security;
create policy tenant on test_sends to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep tells the engine again of what nobody took.
create policy relay on test_sends for select to rostrum_relay using (true);
grant select, insert, update, delete on test_sends to rostrum_app;
grant select (org_id, id, created_at, taken_at) on test_sends to rostrum_relay;
