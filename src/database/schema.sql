-- What the migrations make, to be read and never run: `npm run tables -- --write` writes it.
-- A table is followed by its partitions, indexes, policies, grants and triggers; functions come last.

create table allowance_uses (
  org_id uuid not null,
  channel text not null,
  month date not null,
  used bigint not null,
  constraint allowance_uses_pkey PRIMARY KEY (org_id, channel, month),
  constraint allowance_uses_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint allowance_uses_used_check CHECK ((used >= 0)),
  constraint allowance_uses_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table allowance_uses enable row level security;
alter table allowance_uses force row level security;
create policy tenant on allowance_uses for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update on allowance_uses to rostrum_app;

create table allowances (
  org_id uuid not null,
  channel text not null,
  per_month bigint not null,
  constraint allowances_pkey PRIMARY KEY (org_id, channel),
  constraint allowances_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint allowances_per_month_check CHECK ((per_month >= 0)),
  constraint allowances_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table allowances enable row level security;
alter table allowances force row level security;
create policy tenant on allowances for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on allowances to rostrum_app;

create table api_keys (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  secret_hash bytea not null,
  permissions text[] not null,
  created_at timestamptz not null,
  created_by uuid,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint api_keys_pkey PRIMARY KEY (org_id, id),
  constraint api_keys_secret_hash_key UNIQUE (secret_hash),
  constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy gate on api_keys for select to rostrum_gate using (true);
create policy tenant on api_keys for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update on api_keys to rostrum_app;
grant select on api_keys to rostrum_gate;

create table audit_log (
  org_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  request_id text not null,
  actor_kind text not null,
  actor_id text not null,
  connection_id uuid,
  face text not null,
  address inet,
  operation text not null,
  ids jsonb not null,
  reason text,
  constraint audit_log_pkey PRIMARY KEY (org_id, id),
  constraint audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['api_key'::text, 'user'::text, 'service'::text]))),
  constraint audit_log_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
) partition by range (id);
create table audit_log_default partition of audit_log DEFAULT;
-- row level security is forced on audit_log_default
CREATE INDEX audit_log_by_actor ON ONLY audit_log USING btree (org_id, actor_id, id);
CREATE INDEX audit_log_by_object ON ONLY audit_log USING gin (named_ids(ids));
CREATE INDEX audit_log_by_operation ON ONLY audit_log USING btree (org_id, operation, id);
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy gate on audit_log for select to rostrum_gate using (true);
create policy removal on audit_log for all to rostrum_owner using (org_id = current_org());
create policy tenant on audit_log for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert on audit_log to rostrum_app;
grant select (org_id, id, ids) on audit_log to rostrum_gate;

create table broadcast_links (
  org_id uuid not null,
  broadcast_id uuid not null,
  link bigint not null,
  url text,
  placeholder text,
  clicks bigint default 0 not null,
  clicked bigint default 0 not null,
  constraint broadcast_links_pkey PRIMARY KEY (org_id, broadcast_id, link),
  constraint broadcast_links_check CHECK ((num_nonnulls(url, placeholder) = 1)),
  constraint broadcast_links_org_id_broadcast_id_fkey FOREIGN KEY (org_id, broadcast_id) REFERENCES broadcasts(org_id, id) ON DELETE CASCADE
);
CREATE INDEX broadcast_links_by_age ON broadcast_links USING btree (broadcast_id);
alter table broadcast_links enable row level security;
alter table broadcast_links force row level security;
create policy months on broadcast_links for all to rostrum_owner using (true);
create policy tenant on broadcast_links for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert on broadcast_links to rostrum_app;
grant update (clicks, clicked) on broadcast_links to rostrum_app;

create table broadcast_reasons (
  org_id uuid not null,
  broadcast_id uuid not null,
  outcome text not null,
  reason text not null,
  count bigint not null,
  constraint broadcast_reasons_pkey PRIMARY KEY (org_id, broadcast_id, outcome, reason),
  constraint broadcast_reasons_outcome_check CHECK ((outcome = ANY (ARRAY['skipped'::text, 'failed'::text, 'uncertain'::text]))),
  constraint broadcast_reasons_org_id_broadcast_id_fkey FOREIGN KEY (org_id, broadcast_id) REFERENCES broadcasts(org_id, id) ON DELETE CASCADE
);
alter table broadcast_reasons enable row level security;
alter table broadcast_reasons force row level security;
create policy tenant on broadcast_reasons for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on broadcast_reasons to rostrum_app;

create table broadcast_tallies (
  org_id uuid not null,
  broadcast_id uuid not null,
  kind text not null,
  quarter timestamptz not null,
  count bigint not null,
  constraint broadcast_tallies_pkey PRIMARY KEY (org_id, broadcast_id, kind, quarter),
  constraint broadcast_tallies_kind_check CHECK ((kind = ANY (ARRAY['sent'::text, 'opened'::text, 'clicked'::text, 'refused'::text, 'bounced'::text, 'complained'::text]))),
  constraint broadcast_tallies_org_id_broadcast_id_fkey FOREIGN KEY (org_id, broadcast_id) REFERENCES broadcasts(org_id, id) ON DELETE CASCADE
);
CREATE INDEX broadcast_tallies_of_org ON broadcast_tallies USING btree (org_id, quarter) WHERE (kind = ANY (ARRAY['sent'::text, 'refused'::text, 'bounced'::text, 'complained'::text]));
CREATE INDEX broadcast_tallies_of_trouble ON broadcast_tallies USING btree (quarter) WHERE (kind = ANY (ARRAY['refused'::text, 'bounced'::text, 'complained'::text]));
alter table broadcast_tallies enable row level security;
alter table broadcast_tallies force row level security;
create policy relay on broadcast_tallies for select to rostrum_relay using (true);
create policy tenant on broadcast_tallies for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on broadcast_tallies to rostrum_app;
grant select (org_id, kind, quarter, count) on broadcast_tallies to rostrum_relay;

create table broadcasts (
  org_id uuid not null,
  id uuid not null,
  status text default 'draft'::text not null,
  channel text not null,
  audience text not null,
  segment_id uuid,
  webinar_id uuid,
  webinar_audience text,
  webinar_offset_minutes double precision,
  webinar_anchor text,
  subject text,
  preview_text text,
  html text,
  message_body text,
  body jsonb,
  content_hash bytea,
  variables jsonb default '{}'::jsonb not null,
  sender_id uuid,
  revision bigint default 1 not null,
  send_at timestamptz,
  paced_over_hours double precision,
  created_by jsonb not null,
  planned_by jsonb,
  scheduled_by jsonb,
  scheduled_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  error text,
  recipients bigint default 0 not null,
  sent bigint default 0 not null,
  skipped bigint default 0 not null,
  failed bigint default 0 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  pending bigint default 0 not null,
  uncertain bigint default 0 not null,
  delivered bigint default 0 not null,
  opened bigint default 0 not null,
  clicked bigint default 0 not null,
  bounced bigint default 0 not null,
  complained bigint default 0 not null,
  unsubscribed bigint default 0 not null,
  prepared_through uuid,
  prepared_at timestamptz,
  workflow_id uuid,
  workflow_version bigint,
  node text,
  set_aside jsonb,
  attaches_calendar boolean default false not null,
  hold_if_audience_changes_by bigint,
  planned_recipients bigint,
  held_at timestamptz,
  held_recipients bigint,
  ends_as text,
  constraint broadcasts_pkey PRIMARY KEY (org_id, id),
  constraint broadcasts_audience_check CHECK ((audience = ANY (ARRAY['everyone'::text, 'segment'::text, 'webinar'::text, 'workflow'::text]))),
  constraint broadcasts_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint broadcasts_check CHECK (((status <> 'draft'::text) OR ((send_at IS NULL) AND (started_at IS NULL)))),
  constraint broadcasts_check1 CHECK (((status <> 'scheduled'::text) OR ((send_at IS NOT NULL) AND (started_at IS NULL) AND (finished_at IS NULL)))),
  constraint broadcasts_check2 CHECK (((status <> 'sending'::text) OR ((started_at IS NOT NULL) AND (finished_at IS NULL)))),
  constraint broadcasts_check3 CHECK (((held_at IS NULL) OR ((status = 'scheduled'::text) AND (num_nulls(planned_recipients, held_recipients) = 0)))),
  constraint broadcasts_ends_as_check CHECK ((ends_as = ANY (ARRAY['sent'::text, 'stopped'::text, 'error'::text]))),
  constraint broadcasts_hold_if_audience_changes_by_check CHECK (((hold_if_audience_changes_by >= 1) AND (hold_if_audience_changes_by <= 100))),
  constraint broadcasts_of_workflows CHECK (((audience = 'workflow'::text) = ((workflow_id IS NOT NULL) AND (workflow_version IS NOT NULL) AND (node IS NOT NULL)))),
  constraint broadcasts_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'sent'::text, 'stopped'::text, 'error'::text]))),
  constraint broadcasts_webinar_anchor_check CHECK ((webinar_anchor = ANY (ARRAY['start'::text, 'end'::text]))),
  constraint broadcasts_webinar_audience_check CHECK ((webinar_audience = ANY (ARRAY['registered'::text, 'attended'::text, 'no_show'::text]))),
  constraint broadcasts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint broadcasts_org_id_segment_id_fkey FOREIGN KEY (org_id, segment_id) REFERENCES segments(org_id, id) ON DELETE SET NULL (segment_id),
  constraint broadcasts_org_id_sender_id_fkey FOREIGN KEY (org_id, sender_id) REFERENCES senders(org_id, id) ON DELETE SET NULL (sender_id),
  constraint broadcasts_org_id_webinar_id_fkey FOREIGN KEY (org_id, webinar_id) REFERENCES webinars(org_id, id),
  constraint broadcasts_org_id_workflow_id_fkey FOREIGN KEY (org_id, workflow_id) REFERENCES workflows(org_id, id) ON DELETE CASCADE
);
CREATE INDEX broadcasts_begun ON broadcasts USING btree (org_id, content_hash) WHERE (started_at IS NOT NULL);
CREATE INDEX broadcasts_by_created_at ON broadcasts USING btree (org_id, created_at, id) WHERE (workflow_id IS NULL);
CREATE INDEX broadcasts_due ON broadcasts USING btree (send_at) WHERE ((status = 'scheduled'::text) AND (held_at IS NULL));
CREATE INDEX broadcasts_due_in_org ON broadcasts USING btree (org_id, send_at) WHERE ((status = 'scheduled'::text) AND (held_at IS NULL));
CREATE UNIQUE INDEX broadcasts_of_node ON broadcasts USING btree (org_id, workflow_id, workflow_version, node, COALESCE(webinar_id, org_id)) WHERE (workflow_id IS NOT NULL);
CREATE INDEX broadcasts_of_segment ON broadcasts USING btree (org_id, segment_id) WHERE (segment_id IS NOT NULL);
CREATE INDEX broadcasts_of_sender ON broadcasts USING btree (org_id, sender_id) WHERE (sender_id IS NOT NULL);
CREATE INDEX broadcasts_of_webinar ON broadcasts USING btree (org_id, webinar_id) WHERE (webinar_id IS NOT NULL);
CREATE INDEX broadcasts_unprepared ON broadcasts USING btree (org_id, id) WHERE ((status = ANY (ARRAY['scheduled'::text, 'sending'::text])) AND (prepared_at IS NULL));
alter table broadcasts enable row level security;
alter table broadcasts force row level security;
create policy months on broadcasts for select to rostrum_owner using (true);
create policy relay on broadcasts for select to rostrum_relay using (true);
create policy tenant on broadcasts for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on broadcasts to rostrum_app;
grant select (org_id, id, status, revision, send_at, held_at) on broadcasts to rostrum_relay;

create table connection_families (
  org_id uuid not null,
  id uuid not null,
  tool_connection_id uuid not null,
  code_hash bytea not null,
  challenge text not null,
  redirect_uri text not null,
  code_ends_at timestamptz not null,
  access_hash bytea,
  access_ends_at timestamptz,
  refresh_hash bytea,
  last_refresh_hash bytea,
  refreshed_at timestamptz,
  constraint connection_families_pkey PRIMARY KEY (org_id, id),
  constraint connection_families_access_hash_key UNIQUE (access_hash),
  constraint connection_families_check CHECK (((access_hash IS NULL) = (refresh_hash IS NULL))),
  constraint connection_families_check1 CHECK (((access_hash IS NULL) = (access_ends_at IS NULL))),
  constraint connection_families_check2 CHECK (((access_hash IS NULL) = (refreshed_at IS NULL))),
  constraint connection_families_org_id_tool_connection_id_fkey FOREIGN KEY (org_id, tool_connection_id) REFERENCES connections(org_id, id) ON DELETE CASCADE
);
CREATE INDEX connection_families_of_connection ON connection_families USING btree (org_id, tool_connection_id);
alter table connection_families enable row level security;
alter table connection_families force row level security;
create policy gate on connection_families for select to rostrum_gate using (true);
create policy tenant on connection_families for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on connection_families to rostrum_app;
grant select on connection_families to rostrum_gate;

create table connection_invites (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  created_at timestamptz not null,
  constraint connection_invites_pkey PRIMARY KEY (org_id, id),
  constraint connection_invites_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE RESTRICT
);
CREATE INDEX connection_invites_of_person ON connection_invites USING btree (org_id, person_id);
alter table connection_invites enable row level security;
alter table connection_invites force row level security;
create policy tenant on connection_invites for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on connection_invites to rostrum_app;

create table connections (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  client_id text not null,
  client_name text,
  client_host text,
  redirect_host text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  granted_at timestamptz not null,
  ends_at timestamptz not null,
  last_used_at timestamptz,
  constraint connections_pkey PRIMARY KEY (org_id, id),
  constraint connections_org_id_user_id_client_id_key UNIQUE (org_id, user_id, client_id),
  constraint connections_client_id_check CHECK ((length(client_id) <= 500)),
  constraint connections_client_name_check CHECK (((length(client_name) >= 1) AND (length(client_name) <= 100))),
  constraint connections_permissions_check CHECK ((cardinality(permissions) > 0)),
  constraint connections_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES members(org_id, id) ON DELETE CASCADE
);
alter table connections enable row level security;
alter table connections force row level security;
create policy gate on connections for select to rostrum_gate using (true);
create policy tenant on connections for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on connections to rostrum_app;
grant select on connections to rostrum_gate;

create table deliveries (
  org_id uuid not null,
  id bigint default (first_number_of_month(now()) + nextval('delivery_ids'::regclass)) not null,
  broadcast_id uuid not null,
  person_id uuid,
  due_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  replied_at timestamptz,
  bounced_at timestamptz,
  complained_at timestamptz,
  unsubscribed_at timestamptz,
  added_at timestamptz,
  twin bigint,
  occasion bigint,
  run_id uuid,
  claim uuid,
  attempts smallint default 0 not null,
  lane smallint,
  state text not null,
  history jsonb default '[]'::jsonb not null,
  reason text,
  address text,
  reply text,
  receipt text,
  bounce_class text,
  former_state text,
  former_reason text,
  ended text generated always as (
CASE
    WHEN (state = ANY (ARRAY['skipped'::text, 'failed'::text, 'uncertain'::text])) THEN state
    ELSE NULL::text
END) stored,
  constraint deliveries_pkey PRIMARY KEY (org_id, id),
  constraint deliveries_bounce_class_check CHECK ((bounce_class = ANY (ARRAY['hard'::text, 'soft'::text, 'policy'::text]))),
  constraint deliveries_former_state_check CHECK ((former_state = ANY (ARRAY['uncertain'::text, 'failed'::text]))),
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sending'::text, 'sent'::text, 'skipped'::text, 'failed'::text, 'uncertain'::text])))
) partition by range (id);
create table deliveries_default partition of deliveries DEFAULT with (fillfactor=35, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);
CREATE UNIQUE INDEX deliveries_default_once ON deliveries_default USING btree (org_id, person_id, broadcast_id, twin, occasion) NULLS NOT DISTINCT WHERE (person_id IS NOT NULL);
-- row level security is forced on deliveries_default
CREATE INDEX deliveries_bounced ON ONLY deliveries USING btree (org_id, broadcast_id, ended, due_at, id) WHERE (bounced_at IS NOT NULL);
CREATE INDEX deliveries_by_reason ON ONLY deliveries USING btree (org_id, broadcast_id, reason, ended, due_at, id) WHERE (reason IS NOT NULL);
CREATE INDEX deliveries_by_receipt ON ONLY deliveries USING btree (receipt) WHERE (receipt IS NOT NULL);
CREATE INDEX deliveries_clicked ON ONLY deliveries USING btree (org_id, broadcast_id, ended, due_at, id) WHERE (clicked_at IS NOT NULL);
CREATE INDEX deliveries_complained ON ONLY deliveries USING btree (org_id, broadcast_id, ended, due_at, id) WHERE (complained_at IS NOT NULL);
CREATE INDEX deliveries_ended ON ONLY deliveries USING btree (org_id, broadcast_id, ended, due_at, id) WHERE (ended IS NOT NULL);
CREATE INDEX deliveries_in_turn ON ONLY deliveries USING btree (org_id, broadcast_id, due_at, id) WHERE (ended IS NULL);
CREATE INDEX deliveries_opened ON ONLY deliveries USING btree (org_id, broadcast_id, ended, due_at, id) WHERE (opened_at IS NOT NULL);
CREATE INDEX deliveries_refused_by_policy ON ONLY deliveries USING btree (org_id, bounced_at) WHERE (bounce_class = 'policy'::text);
CREATE INDEX deliveries_replied ON ONLY deliveries USING btree (org_id, broadcast_id, ended, due_at, id) WHERE (replied_at IS NOT NULL);
CREATE INDEX deliveries_twins ON ONLY deliveries USING btree (org_id, broadcast_id, person_id) WHERE (twin IS NOT NULL);
CREATE INDEX deliveries_unsubscribed ON ONLY deliveries USING btree (org_id, broadcast_id, ended, due_at, id) WHERE (unsubscribed_at IS NOT NULL);
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy relay on deliveries for select to rostrum_relay using (true);
create policy tenant on deliveries for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on deliveries to rostrum_app;
grant select (org_id, id, due_at, sent_at, receipt) on deliveries to rostrum_relay;
CREATE TRIGGER deliveries_added AFTER INSERT ON deliveries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries_added();
CREATE TRIGGER deliveries_changed AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS was NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries_changed();
CREATE TRIGGER deliveries_removed AFTER DELETE ON deliveries REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION unqueue_deliveries();
CREATE TRIGGER deliveries_requeued AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS was NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION requeue_deliveries();

create table delivery_lanes (
  org_id uuid not null,
  broadcast_id uuid not null,
  lane bigint not null,
  ticket bigint default 1 not null,
  next_at timestamptz not null,
  resting boolean default false not null,
  from_due timestamptz default '1970-01-01 00:00:00+00'::timestamptz not null,
  from_id bigint default 0 not null,
  constraint delivery_lanes_pkey PRIMARY KEY (org_id, broadcast_id, lane),
  constraint delivery_lanes_org_id_broadcast_id_fkey FOREIGN KEY (org_id, broadcast_id) REFERENCES broadcasts(org_id, id) ON DELETE CASCADE
);
CREATE INDEX delivery_lanes_due ON delivery_lanes USING btree (next_at);
alter table delivery_lanes enable row level security;
alter table delivery_lanes force row level security;
create policy relay on delivery_lanes for select to rostrum_relay using (true);
create policy tenant on delivery_lanes for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on delivery_lanes to rostrum_app;
grant select (org_id, broadcast_id, lane, next_at) on delivery_lanes to rostrum_relay;

create table delivery_queue (
  org_id uuid not null,
  broadcast_id uuid not null,
  lane bigint not null,
  due_at timestamptz not null,
  id bigint not null,
  constraint delivery_queue_pkey PRIMARY KEY (org_id, broadcast_id, lane, due_at, id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);
CREATE INDEX delivery_queue_by_month ON delivery_queue USING btree (((id >> 40)));
alter table delivery_queue enable row level security;
alter table delivery_queue force row level security;
create policy months on delivery_queue for select to rostrum_owner using (true);
create policy tenant on delivery_queue for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, delete on delivery_queue to rostrum_app;

create table delivery_windows (
  org_id uuid not null,
  broadcast_id uuid not null,
  lane bigint not null,
  number bigint not null,
  claim uuid not null,
  claimed_at timestamptz default now() not null,
  process uuid,
  charged_at timestamptz,
  constraint delivery_windows_pkey PRIMARY KEY (org_id, broadcast_id, lane, number),
  constraint delivery_windows_org_id_broadcast_id_fkey FOREIGN KEY (org_id, broadcast_id) REFERENCES broadcasts(org_id, id) ON DELETE CASCADE
);
CREATE INDEX delivery_windows_old ON delivery_windows USING btree (claimed_at);
alter table delivery_windows enable row level security;
alter table delivery_windows force row level security;
create policy relay on delivery_windows for all to rostrum_relay using (true);
create policy tenant on delivery_windows for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update on delivery_windows to rostrum_app;
grant select, delete on delivery_windows to rostrum_relay;

create table email_blacklist (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  email text collate "C" not null,
  reason text not null,
  created_at timestamptz not null,
  constraint email_blacklist_pkey PRIMARY KEY (org_id, id),
  constraint email_blacklist_org_id_person_id_email_key UNIQUE (org_id, person_id, email),
  constraint email_blacklist_reason_check CHECK ((reason = ANY (ARRAY['bounced'::text, 'complained'::text, 'blacklisted'::text]))),
  constraint email_blacklist_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_blacklist_by_email ON email_blacklist USING btree (org_id, email);
alter table email_blacklist enable row level security;
alter table email_blacklist force row level security;
create policy tenant on email_blacklist for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on email_blacklist to rostrum_app;

create table email_layouts (
  org_id uuid not null,
  company_name text,
  logo_url text,
  logo_alt text,
  footer_text text,
  postal_address text,
  updated_at timestamptz not null,
  link_color text,
  button_color text,
  constraint email_layouts_pkey PRIMARY KEY (org_id),
  constraint email_layouts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table email_layouts enable row level security;
alter table email_layouts force row level security;
create policy tenant on email_layouts for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update on email_layouts to rostrum_app;

create table events (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  name text not null,
  custom_properties jsonb default '{}'::jsonb not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  event_id text,
  constraint events_pkey PRIMARY KEY (org_id, id),
  constraint events_event_id_check CHECK (((length(event_id) >= 1) AND (length(event_id) <= 200))),
  constraint events_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint events_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
) partition by range (id);
create table events_default partition of events DEFAULT;
-- row level security is forced on events_default
CREATE INDEX events_of_person ON ONLY events USING btree (org_id, person_id, occurred_at DESC, id DESC);
alter table events enable row level security;
alter table events force row level security;
create policy tenant on events for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on events to rostrum_app;

create table idempotent_answers (
  org_id uuid not null,
  operation text not null,
  key text not null,
  input_hash bytea not null,
  answer json not null,
  created_at timestamptz not null,
  about uuid[] default '{}'::uuid[] not null,
  constraint idempotent_answers_pkey PRIMARY KEY (org_id, operation, key),
  constraint idempotent_answers_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotent_answers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX idempotent_answers_about ON idempotent_answers USING gin (about) WHERE (about <> '{}'::uuid[]);
CREATE INDEX idempotent_answers_oldest ON idempotent_answers USING btree (created_at);
alter table idempotent_answers enable row level security;
alter table idempotent_answers force row level security;
create policy relay on idempotent_answers for all to rostrum_relay using (true);
create policy tenant on idempotent_answers for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, delete on idempotent_answers to rostrum_app;
grant select, delete on idempotent_answers to rostrum_relay;
grant update (answer) on idempotent_answers to rostrum_app;

create table identifiers (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  type text not null,
  value text not null,
  folded text collate "C" generated always as (translate(lower((value COLLATE "und-x-icu")), 'ς'::text, 'σ'::text)) stored not null,
  is_contact_method boolean default false not null,
  is_primary_for_type boolean default false not null,
  metadata jsonb default '{}'::jsonb not null,
  created_at timestamptz not null,
  typed text,
  constraint identifiers_pkey PRIMARY KEY (org_id, id),
  constraint identifiers_type_check CHECK ((type = ANY (ARRAY['email'::text, 'phone'::text, 'user_id'::text, 'org_assigned_user_id'::text, 'payment_customer_id'::text, 'anonymous_id'::text, 'chat'::text, 'chat_user_id'::text, 'chat_channel'::text, 'messenger'::text, 'full_name'::text]))),
  constraint identifiers_typed_check CHECK (((length(typed) >= 1) AND (length(typed) <= 512))),
  constraint identifiers_value_check CHECK (((length(value) >= 1) AND (length(value) <= 512))),
  constraint identifiers_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX identifiers_by_number ON identifiers USING btree (org_id, dialed(value)) WHERE (type = 'phone'::text);
CREATE UNIQUE INDEX identifiers_of_person ON identifiers USING btree (org_id, person_id, type, value);
CREATE UNIQUE INDEX identifiers_one_holder ON identifiers USING btree (org_id, type, value) WHERE (type <> ALL (ARRAY['full_name'::text, 'chat_channel'::text]));
CREATE UNIQUE INDEX identifiers_one_primary ON identifiers USING btree (org_id, person_id, type) WHERE is_primary_for_type;
CREATE INDEX identifiers_search ON identifiers USING gin (search_keys(org_id, folded));
alter table identifiers enable row level security;
alter table identifiers force row level security;
create policy gate on identifiers for select to rostrum_gate using (true);
create policy tenant on identifiers for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on identifiers to rostrum_app;
grant select on identifiers to rostrum_gate;

create table import_failures (
  org_id uuid not null,
  import_id uuid not null,
  "row" bigint not null,
  outcome text not null,
  code text not null,
  reason text not null,
  constraint import_failures_pkey PRIMARY KEY (org_id, import_id, outcome, "row"),
  constraint import_failures_outcome_check CHECK ((outcome = ANY (ARRAY['rejected'::text, 'failed'::text, 'skipped'::text]))),
  constraint import_failures_reason_check CHECK ((length(reason) <= 500)),
  constraint import_failures_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES imports(org_id, id) ON DELETE CASCADE
);
alter table import_failures enable row level security;
alter table import_failures force row level security;
create policy relay on import_failures for select to rostrum_relay using (true);
create policy tenant on import_failures for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, delete on import_failures to rostrum_app;
grant select (org_id, import_id) on import_failures to rostrum_relay;

create table import_parts (
  org_id uuid not null,
  import_id uuid not null,
  first_row bigint not null,
  last_row bigint not null,
  rows json not null,
  constraint import_parts_pkey PRIMARY KEY (org_id, import_id, first_row),
  constraint import_parts_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES imports(org_id, id) ON DELETE CASCADE
);
alter table import_parts enable row level security;
alter table import_parts force row level security;
create policy tenant on import_parts for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, delete on import_parts to rostrum_app;

create table imports (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  file_name text not null,
  source text not null,
  status text not null,
  columns jsonb not null,
  sample_rows json,
  mapping jsonb,
  revision bigint default 0 not null,
  last_row bigint default 0 not null,
  staged_rows bigint default 0 not null,
  rejected_rows bigint default 0 not null,
  merges text,
  may_merge jsonb,
  done_row bigint default 0 not null,
  succeeded bigint default 0 not null,
  failed bigint default 0 not null,
  skipped bigint default 0 not null,
  people_created bigint default 0 not null,
  people_merged bigint default 0 not null,
  people_opted_out bigint default 0 not null,
  run_at timestamptz,
  created_at timestamptz not null,
  committed_at timestamptz,
  finished_at timestamptz,
  constraint imports_pkey PRIMARY KEY (org_id, id),
  constraint imports_file_name_check CHECK (((length(file_name) >= 1) AND (length(file_name) <= 300))),
  constraint imports_merges_check CHECK ((merges = ANY (ARRAY['block'::text, 'skip_rows'::text, 'allow'::text]))),
  constraint imports_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint imports_source_check CHECK ((source = ANY (ARRAY['rows'::text, 'csv'::text]))),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'mapped'::text, 'committing'::text, 'completed'::text, 'completed_with_failures'::text, 'failed'::text]))),
  constraint imports_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
) with (fillfactor=50);
CREATE INDEX imports_drafts ON imports USING btree (created_at) WHERE (committed_at IS NULL);
CREATE INDEX imports_newest ON imports USING btree (org_id, created_at DESC, id DESC);
CREATE INDEX imports_running ON imports USING btree (run_at) WHERE (run_at IS NOT NULL);
alter table imports enable row level security;
alter table imports force row level security;
create policy relay on imports for select to rostrum_relay using (true);
create policy tenant on imports for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on imports to rostrum_app;
grant select (org_id, id, run_at, created_at, committed_at) on imports to rostrum_relay;

create table installation (
  only_row boolean default true not null,
  id uuid default gen_random_uuid() not null,
  held_at timestamptz,
  held_because text,
  released_at timestamptz,
  beats bigint default 0 not null,
  outbox_from bigint default 0 not null,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_only_row_check CHECK (only_row)
);
grant select on installation to rostrum_app;
grant select on installation to rostrum_relay;
grant update (held_at, held_because) on installation to rostrum_app;
grant update (held_at, held_because, released_at, beats, outbox_from) on installation to rostrum_relay;

create table invitations (
  org_id uuid not null,
  id uuid not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  invited_by uuid not null,
  sent_at timestamptz not null,
  ends_at timestamptz not null,
  constraint invitations_pkey PRIMARY KEY (org_id, id),
  constraint invitations_org_id_email_key UNIQUE (org_id, email),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'sender'::text, 'viewer'::text]))),
  constraint invitations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX invitations_of_email ON invitations USING btree (email);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy gate on invitations for select to rostrum_gate using (true);
create policy tenant on invitations for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on invitations to rostrum_app;
grant select on invitations to rostrum_gate;

create table members (
  org_id uuid not null,
  id uuid not null,
  email text not null,
  role text not null,
  since timestamptz not null,
  constraint members_pkey PRIMARY KEY (org_id, id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'sender'::text, 'viewer'::text]))),
  constraint members_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX members_of_user ON members USING btree (id);
alter table members enable row level security;
alter table members force row level security;
create policy gate on members for select to rostrum_gate using (true);
create policy tenant on members for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, delete on members to rostrum_app;
grant select on members to rostrum_gate;
grant update (role) on members to rostrum_app;

create table merged_people (
  org_id uuid not null,
  id uuid not null,
  survivor_id uuid not null,
  merged_at timestamptz not null,
  constraint merged_people_pkey PRIMARY KEY (org_id, id),
  constraint merged_people_org_id_survivor_id_fkey FOREIGN KEY (org_id, survivor_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX merged_people_survivor ON merged_people USING btree (org_id, survivor_id);
alter table merged_people enable row level security;
alter table merged_people force row level security;
create policy tenant on merged_people for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on merged_people to rostrum_app;

create table named_events (
  org_id uuid not null,
  event_id text not null,
  person_id uuid not null,
  id uuid not null,
  constraint named_events_pkey PRIMARY KEY (org_id, event_id),
  constraint named_events_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX named_events_by_id ON named_events USING btree (id);
CREATE INDEX named_events_of_person ON named_events USING btree (org_id, person_id);
alter table named_events enable row level security;
alter table named_events force row level security;
create policy months on named_events for all to rostrum_owner using (true);
create policy tenant on named_events for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on named_events to rostrum_app;

create table opt_outs (
  org_id uuid not null,
  person_id uuid not null,
  email_opt_out boolean not null,
  sms_opt_out boolean not null,
  updated_at timestamptz not null,
  email_out_by bigint,
  sms_out_by bigint,
  constraint opt_outs_pkey PRIMARY KEY (org_id, person_id),
  constraint opt_outs_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
alter table opt_outs enable row level security;
alter table opt_outs force row level security;
create policy tenant on opt_outs for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on opt_outs to rostrum_app;

create table organization_removals (
  org_id uuid not null,
  asked_at timestamptz not null,
  run_at timestamptz,
  done_at timestamptz,
  part bigint default 0 not null,
  at_table text,
  removed jsonb default '{}'::jsonb not null,
  constraint organization_removals_pkey PRIMARY KEY (org_id)
);
CREATE INDEX organization_removals_due ON organization_removals USING btree (run_at) WHERE (done_at IS NULL);
alter table organization_removals enable row level security;
alter table organization_removals force row level security;
create policy relay on organization_removals for select to rostrum_relay using (true);
create policy tenant on organization_removals for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update on organization_removals to rostrum_app;
grant select (org_id, asked_at, run_at, done_at) on organization_removals to rostrum_relay;

create table organizations (
  id uuid not null,
  name text not null,
  mode text not null,
  currency text default 'USD'::text not null,
  timezone text default 'UTC'::text not null,
  created_at timestamptz not null,
  two_key_sending boolean default false not null,
  hold_if_audience_changes_by bigint,
  clock_moved_at timestamptz,
  clock_ahead_ms bigint default 0 not null,
  test_recipients text[] default '{}'::text[] not null,
  default_country text,
  history_months bigint,
  state text default 'active'::text not null,
  state_reason text,
  state_at timestamptz,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_check CHECK (((clock_ahead_ms = 0) OR ((clock_ahead_ms > 0) AND (mode = 'test'::text)))),
  constraint organizations_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint organizations_default_country_check CHECK ((default_country ~ '^[A-Z]{2}$'::text)),
  constraint organizations_history_months_check CHECK (((history_months >= 1) AND (history_months <= 1200))),
  constraint organizations_hold_if_audience_changes_by_check CHECK (((hold_if_audience_changes_by >= 1) AND (hold_if_audience_changes_by <= 100))),
  constraint organizations_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint organizations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint organizations_state_check CHECK ((state = ANY (ARRAY['active'::text, 'suspended'::text, 'deleting'::text]))),
  constraint organizations_state_reason_check CHECK (((length(state_reason) >= 1) AND (length(state_reason) <= 500)))
);
CREATE INDEX organizations_forgetting ON organizations USING btree (id) WHERE (history_months IS NOT NULL);
CREATE INDEX organizations_resting ON organizations USING btree (id) WHERE (state <> 'active'::text);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy gate on organizations for select to rostrum_gate using (true);
create policy relay on organizations for select to rostrum_relay using (true);
create policy removal on organizations for all to rostrum_owner using (((id = ( SELECT current_org() AS current_org)) AND (state = 'deleting'::text)));
create policy tenant on organizations for all to rostrum_app using ((id = ( SELECT current_org() AS current_org))) with check ((id = ( SELECT current_org() AS current_org)));
grant select, insert, update on organizations to rostrum_app;
grant select on organizations to rostrum_gate;
grant select (id, name, mode, currency, created_at, clock_ahead_ms, history_months, state, state_reason, state_at) on organizations to rostrum_relay;
CREATE TRIGGER deliveries_go_with_org AFTER DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION delete_deliveries_of_org();
CREATE TRIGGER organization_added AFTER INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION organization_added();
CREATE TRIGGER tracking_hits_go_with_org AFTER DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION delete_tracking_hits_of_org();

create table outbox (
  org_id uuid not null,
  tx bigint default ((pg_current_xact_id())::text)::bigint not null,
  id bigint generated always as identity not null,
  key uuid default gen_random_uuid() not null,
  service text not null,
  handler text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  traceparent text,
  constraint outbox_pkey PRIMARY KEY (org_id, tx, id),
  constraint outbox_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX outbox_order ON outbox USING btree (tx, org_id);
alter table outbox enable row level security;
alter table outbox force row level security;
create policy relay on outbox for all to rostrum_relay using (true) with check (true);
create policy tenant on outbox for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert on outbox to rostrum_app;
grant select, insert, update, delete on outbox to rostrum_relay;

create table people (
  org_id uuid not null,
  id uuid not null,
  first_name text collate "und-x-icu",
  last_name text collate "und-x-icu",
  primary_email text collate "C",
  primary_phone text collate "C",
  external_user_id text collate "C",
  primary_contact_method text,
  subscription_status text,
  payment_processor text,
  mrr bigint default 0 not null,
  ltv bigint default 0 not null,
  first_payment_date timestamptz,
  next_payment_date timestamptz,
  cancels_at timestamptz,
  last_opened_at timestamptz,
  last_clicked_at timestamptz,
  last_replied_at timestamptz,
  health_score double precision,
  health_band text,
  health_trend text,
  score_change_7d double precision,
  primary_team_member uuid,
  assigned_team_members uuid[] default '{}'::uuid[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  engagement double precision,
  other_email text collate "C",
  constraint people_pkey PRIMARY KEY (org_id, id),
  constraint people_health_band_check CHECK ((health_band = ANY (ARRAY['critical'::text, 'low'::text, 'moderate'::text, 'healthy'::text, 'power'::text]))),
  constraint people_health_trend_check CHECK ((health_trend = ANY (ARRAY['rising'::text, 'steady'::text, 'falling'::text]))),
  constraint people_payment_processor_check CHECK ((payment_processor = ANY (ARRAY['processor_a'::text, 'processor_b'::text, 'processor_c'::text]))),
  constraint people_primary_contact_method_check CHECK ((primary_contact_method = ANY (ARRAY['email'::text, 'phone'::text]))),
  constraint people_subscription_status_check CHECK ((subscription_status = ANY (ARRAY['incomplete'::text, 'incomplete_expired'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text, 'unpaid'::text, 'paused'::text, 'inactive'::text]))),
  constraint people_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX people_by_created_at ON people USING btree (org_id, created_at, id);
CREATE INDEX people_by_engagement ON people USING btree (org_id, engagement) WHERE (engagement IS NOT NULL);
CREATE INDEX people_by_first_name ON people USING btree (org_id, first_name, id);
CREATE INDEX people_by_health_band ON people USING btree (org_id, health_band) WHERE (health_band IS NOT NULL);
CREATE INDEX people_by_last_clicked_at ON people USING btree (org_id, last_clicked_at, id);
CREATE INDEX people_by_last_name ON people USING btree (org_id, last_name, id);
CREATE INDEX people_by_last_opened_at ON people USING btree (org_id, last_opened_at, id);
CREATE INDEX people_by_ltv ON people USING btree (org_id, ltv, id);
CREATE INDEX people_by_mrr ON people USING btree (org_id, mrr, id);
CREATE INDEX people_by_payment_processor ON people USING btree (org_id, payment_processor) WHERE (payment_processor IS NOT NULL);
CREATE INDEX people_by_primary_email ON people USING btree (org_id, primary_email, id);
CREATE INDEX people_by_subscription_status ON people USING btree (org_id, subscription_status) WHERE (subscription_status IS NOT NULL);
alter table people enable row level security;
alter table people force row level security;
create policy tenant on people for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on people to rostrum_app;
CREATE TRIGGER people_added AFTER INSERT ON people REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_people_added();
CREATE TRIGGER people_removed AFTER DELETE ON people REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_people_removed();

create table people_counts (
  org_id uuid not null,
  id bigint generated always as identity not null,
  step bigint not null,
  constraint people_counts_pkey PRIMARY KEY (org_id, id),
  constraint people_counts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table people_counts enable row level security;
alter table people_counts force row level security;
create policy relay on people_counts for all to rostrum_relay using (true) with check (true);
create policy tenant on people_counts for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert on people_counts to rostrum_app;
grant select, insert, update, delete on people_counts to rostrum_relay;

create table people_views (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  shows jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint people_views_pkey PRIMARY KEY (org_id, id),
  constraint people_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint people_views_shows_check CHECK (((jsonb_typeof(shows) = 'object'::text) AND (octet_length((shows)::text) <= 8000))),
  constraint people_views_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX people_views_by_name ON people_views USING btree (org_id, lower(name));
alter table people_views enable row level security;
alter table people_views force row level security;
create policy tenant on people_views for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on people_views to rostrum_app;

create table platform_connections (
  org_id uuid not null,
  id uuid not null,
  platform text not null,
  account_id text not null,
  details jsonb default '{}'::jsonb not null,
  secrets bytea not null,
  trouble text,
  trouble_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint platform_connections_pkey PRIMARY KEY (org_id, id),
  constraint platform_connections_org_id_platform_account_id_key UNIQUE (org_id, platform, account_id),
  constraint platform_connections_account_id_check CHECK (((length(account_id) >= 1) AND (length(account_id) <= 200))),
  constraint platform_connections_details_check CHECK ((jsonb_typeof(details) = 'object'::text)),
  constraint platform_connections_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table platform_connections enable row level security;
alter table platform_connections force row level security;
create policy tenant on platform_connections for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on platform_connections to rostrum_app;

create table platform_links (
  org_id uuid not null,
  webinar_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  event_id text not null,
  linked_at timestamptz not null,
  push_ticket bigint default 0 not null,
  push_until timestamptz,
  push_after uuid,
  sync_at timestamptz,
  sync_ticket bigint default 0 not null,
  sync_tries bigint default 0 not null,
  sync_trouble text,
  sync_strangers bigint default 0 not null,
  synced_at timestamptz,
  constraint platform_links_pkey PRIMARY KEY (org_id, webinar_id),
  constraint platform_links_event_id_check CHECK (((length(event_id) >= 1) AND (length(event_id) <= 100))),
  constraint platform_links_org_id_connection_id_fkey FOREIGN KEY (org_id, connection_id) REFERENCES platform_connections(org_id, id) ON DELETE RESTRICT,
  constraint platform_links_org_id_webinar_id_fkey FOREIGN KEY (org_id, webinar_id) REFERENCES webinars(org_id, id) ON DELETE CASCADE
) with (fillfactor=50);
CREATE INDEX platform_links_of_event ON platform_links USING btree (org_id, connection_id, event_id);
CREATE INDEX platform_links_to_push ON platform_links USING btree (push_until) WHERE (push_after IS NOT NULL);
CREATE INDEX platform_links_to_sync ON platform_links USING btree (sync_at) WHERE (sync_at IS NOT NULL);
alter table platform_links enable row level security;
alter table platform_links force row level security;
create policy relay on platform_links for select to rostrum_relay using (true);
create policy tenant on platform_links for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on platform_links to rostrum_app;
grant select (org_id, webinar_id, push_until, push_after, sync_at) on platform_links to rostrum_relay;

create table property_changes (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  changes jsonb not null,
  requested_at timestamptz not null,
  request_id text not null,
  constraint property_changes_pkey PRIMARY KEY (org_id, id),
  constraint property_changes_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX property_changes_of_person ON property_changes USING btree (org_id, person_id);
CREATE INDEX property_changes_oldest ON property_changes USING btree (requested_at);
alter table property_changes enable row level security;
alter table property_changes force row level security;
create policy relay on property_changes for select to rostrum_relay using (true);
create policy tenant on property_changes for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on property_changes to rostrum_app;
grant select on property_changes to rostrum_relay;

create table property_configs (
  org_id uuid not null,
  id uuid not null,
  key text not null,
  name text not null,
  description text,
  type text not null,
  created_at timestamptz not null,
  slot smallint default 0 not null,
  has_long_texts boolean default false not null,
  constraint property_configs_pkey PRIMARY KEY (org_id, id),
  constraint property_configs_org_id_key_key UNIQUE (org_id, key),
  constraint property_configs_org_id_type_slot_key UNIQUE (org_id, type, slot),
  constraint property_configs_key_check CHECK ((key ~ '^[A-Za-z0-9_]{1,100}$'::text)),
  constraint property_configs_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint property_configs_type_check CHECK ((type = ANY (ARRAY['string'::text, 'number'::text, 'boolean'::text]))),
  constraint property_configs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table property_configs enable row level security;
alter table property_configs force row level security;
create policy tenant on property_configs for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on property_configs to rostrum_app;
CREATE TRIGGER choose_property_slot BEFORE INSERT ON property_configs FOR EACH ROW EXECUTE FUNCTION choose_property_slot();
CREATE CONSTRAINT TRIGGER require_property_removal AFTER DELETE ON property_configs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_property_removal();

create table property_pages (
  org_id uuid not null,
  person_id uuid not null,
  page smallint not null,
  n0 double precision,
  n1 double precision,
  n2 double precision,
  n3 double precision,
  n4 double precision,
  n5 double precision,
  n6 double precision,
  n7 double precision,
  b0 boolean,
  b1 boolean,
  b2 boolean,
  b3 boolean,
  b4 boolean,
  b5 boolean,
  b6 boolean,
  b7 boolean,
  b8 boolean,
  b9 boolean,
  b10 boolean,
  b11 boolean,
  b12 boolean,
  b13 boolean,
  b14 boolean,
  b15 boolean,
  t0 text collate "C",
  t1 text collate "C",
  t2 text collate "C",
  t3 text collate "C",
  t4 text collate "C",
  t5 text collate "C",
  t6 text collate "C",
  t7 text collate "C",
  constraint property_pages_pkey PRIMARY KEY (org_id, person_id, page),
  constraint property_pages_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
) partition by list (page);
create table property_page_0 partition of property_pages FOR VALUES IN ('0') with (fillfactor=90);
create table property_page_1 partition of property_pages FOR VALUES IN ('1') with (fillfactor=90);
create table property_page_2 partition of property_pages FOR VALUES IN ('2') with (fillfactor=90);
create table property_page_3 partition of property_pages FOR VALUES IN ('3') with (fillfactor=90);
create table property_page_4 partition of property_pages FOR VALUES IN ('4') with (fillfactor=90);
create table property_page_5 partition of property_pages FOR VALUES IN ('5') with (fillfactor=90);
create table property_page_6 partition of property_pages FOR VALUES IN ('6') with (fillfactor=90);
create table property_page_7 partition of property_pages FOR VALUES IN ('7') with (fillfactor=90);
create table property_page_8 partition of property_pages FOR VALUES IN ('8') with (fillfactor=90);
create table property_page_9 partition of property_pages FOR VALUES IN ('9') with (fillfactor=90);
create table property_page_10 partition of property_pages FOR VALUES IN ('10') with (fillfactor=90);
create table property_page_11 partition of property_pages FOR VALUES IN ('11') with (fillfactor=90);
create table property_page_12 partition of property_pages FOR VALUES IN ('12') with (fillfactor=90);
create table property_page_13 partition of property_pages FOR VALUES IN ('13') with (fillfactor=90);
create table property_page_14 partition of property_pages FOR VALUES IN ('14') with (fillfactor=90);
create table property_page_15 partition of property_pages FOR VALUES IN ('15') with (fillfactor=90);
create table property_page_16 partition of property_pages FOR VALUES IN ('16') with (fillfactor=90);
create table property_page_17 partition of property_pages FOR VALUES IN ('17') with (fillfactor=90);
create table property_page_18 partition of property_pages FOR VALUES IN ('18') with (fillfactor=90);
create table property_page_19 partition of property_pages FOR VALUES IN ('19') with (fillfactor=90);
create table property_page_20 partition of property_pages FOR VALUES IN ('20') with (fillfactor=90);
create table property_page_21 partition of property_pages FOR VALUES IN ('21') with (fillfactor=90);
create table property_page_22 partition of property_pages FOR VALUES IN ('22') with (fillfactor=90);
create table property_page_23 partition of property_pages FOR VALUES IN ('23') with (fillfactor=90);
create table property_page_24 partition of property_pages FOR VALUES IN ('24') with (fillfactor=90);
create table property_page_25 partition of property_pages FOR VALUES IN ('25') with (fillfactor=90);
create table property_page_26 partition of property_pages FOR VALUES IN ('26') with (fillfactor=90);
create table property_page_27 partition of property_pages FOR VALUES IN ('27') with (fillfactor=90);
create table property_page_28 partition of property_pages FOR VALUES IN ('28') with (fillfactor=90);
create table property_page_29 partition of property_pages FOR VALUES IN ('29') with (fillfactor=90);
create table property_page_30 partition of property_pages FOR VALUES IN ('30') with (fillfactor=90);
create table property_page_31 partition of property_pages FOR VALUES IN ('31') with (fillfactor=90);
create table property_page_32 partition of property_pages FOR VALUES IN ('32') with (fillfactor=90);
create table property_page_33 partition of property_pages FOR VALUES IN ('33') with (fillfactor=90);
create table property_page_34 partition of property_pages FOR VALUES IN ('34') with (fillfactor=90);
create table property_page_35 partition of property_pages FOR VALUES IN ('35') with (fillfactor=90);
create table property_page_36 partition of property_pages FOR VALUES IN ('36') with (fillfactor=90);
create table property_page_37 partition of property_pages FOR VALUES IN ('37') with (fillfactor=90);
alter table property_pages enable row level security;
alter table property_pages force row level security;
create policy tenant on property_pages for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on property_pages to rostrum_app;

create table property_removals (
  org_id uuid not null,
  config_id uuid not null,
  type text not null,
  slot smallint not null,
  done_person uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  run_at timestamptz not null,
  constraint property_removals_pkey PRIMARY KEY (org_id, config_id),
  constraint property_removals_org_id_type_slot_key UNIQUE (org_id, type, slot),
  constraint property_removals_type_check CHECK ((type = ANY (ARRAY['string'::text, 'number'::text, 'boolean'::text]))),
  constraint property_removals_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX property_removals_due ON property_removals USING btree (run_at);
alter table property_removals enable row level security;
alter table property_removals force row level security;
create policy relay on property_removals for select to rostrum_relay using (true);
create policy tenant on property_removals for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on property_removals to rostrum_app;
grant select (org_id, config_id, run_at) on property_removals to rostrum_relay;

create table property_values (
  org_id uuid not null,
  person_id uuid not null,
  config_id uuid not null,
  text_value text,
  number_value double precision,
  boolean_value boolean,
  changed_by uuid not null,
  created_at timestamptz not null,
  constraint property_values_pkey PRIMARY KEY (org_id, person_id, config_id),
  constraint property_values_check CHECK ((num_nonnulls(text_value, number_value, boolean_value) <= 1)),
  constraint property_values_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX property_values_of_config ON property_values USING btree (org_id, config_id);
alter table property_values enable row level security;
alter table property_values force row level security;
create policy tenant on property_values for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on property_values to rostrum_app;
CREATE TRIGGER hold_property_configs_inserted AFTER INSERT ON property_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION hold_property_configs();
CREATE TRIGGER hold_property_configs_updated AFTER UPDATE ON property_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION hold_property_configs();
CREATE TRIGGER property_values_deleted AFTER DELETE ON property_values REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION repeat_property_values();
CREATE TRIGGER property_values_inserted AFTER INSERT ON property_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION repeat_property_values();
CREATE TRIGGER property_values_updated AFTER UPDATE ON property_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION repeat_property_values();

create table purchases (
  org_id uuid not null,
  id uuid not null,
  person_id uuid,
  processor text not null,
  processor_payment_id text not null,
  amount bigint not null,
  paid_at timestamptz not null,
  constraint purchases_pkey PRIMARY KEY (org_id, id),
  constraint purchases_org_id_processor_processor_payment_id_key UNIQUE (org_id, processor, processor_payment_id),
  constraint purchases_processor_check CHECK ((processor = ANY (ARRAY['processor_a'::text, 'processor_b'::text, 'processor_c'::text]))),
  constraint purchases_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE SET NULL (person_id)
);
CREATE INDEX purchases_of_person ON purchases USING btree (org_id, person_id) WHERE (person_id IS NOT NULL);
alter table purchases enable row level security;
alter table purchases force row level security;
create policy tenant on purchases for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on purchases to rostrum_app;

create unlogged table rate_windows (
  org_id uuid not null,
  class text not null,
  window_start timestamptz not null,
  used bigint not null,
  last_grant bigint not null,
  constraint rate_windows_pkey PRIMARY KEY (org_id, class)
);
alter table rate_windows enable row level security;
alter table rate_windows force row level security;
create policy relay on rate_windows for all to rostrum_relay using (true);
create policy removal on rate_windows for all to rostrum_owner using (org_id = current_org());
create policy tenant on rate_windows for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update on rate_windows to rostrum_app;
grant select, delete on rate_windows to rostrum_relay;

create table receiving_domains (
  org_id uuid not null,
  domain text not null,
  slow_until timestamptz not null,
  next_at timestamptz not null,
  reason text not null,
  constraint receiving_domains_pkey PRIMARY KEY (org_id, domain),
  constraint receiving_domains_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table receiving_domains enable row level security;
alter table receiving_domains force row level security;
create policy tenant on receiving_domains for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on receiving_domains to rostrum_app;

create table registration_pages (
  org_id uuid not null,
  webinar_id uuid not null,
  slug text not null,
  published boolean not null,
  description text not null,
  fields jsonb not null,
  consent_text text,
  frame_origins text[] not null,
  revision bigint default 1 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint registration_pages_pkey PRIMARY KEY (org_id, webinar_id),
  constraint registration_pages_consent_text_check CHECK (((length(consent_text) >= 1) AND (length(consent_text) <= 2000))),
  constraint registration_pages_description_check CHECK ((length(description) <= 4000)),
  constraint registration_pages_fields_check CHECK (((jsonb_typeof(fields) = 'array'::text) AND (octet_length((fields)::text) <= 16000))),
  constraint registration_pages_frame_origins_check CHECK ((cardinality(frame_origins) <= 10)),
  constraint registration_pages_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND ((length(slug) >= 3) AND (length(slug) <= 80)))),
  constraint registration_pages_org_id_webinar_id_fkey FOREIGN KEY (org_id, webinar_id) REFERENCES webinars(org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX registration_pages_by_slug ON registration_pages USING btree (slug);
alter table registration_pages enable row level security;
alter table registration_pages force row level security;
create policy gate on registration_pages for select to rostrum_gate using (true);
create policy tenant on registration_pages for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on registration_pages to rostrum_app;
grant select on registration_pages to rostrum_gate;

create table registrations (
  org_id uuid not null,
  id uuid not null,
  webinar_id uuid not null,
  person_id uuid not null,
  registered_at timestamptz not null,
  attended boolean default false not null,
  join_url text,
  attendance_source text,
  attendance_at timestamptz,
  external_id text,
  push_link uuid,
  push_state text,
  push_attempts bigint default 0 not null,
  push_next_at timestamptz,
  push_error text,
  constraint registrations_pkey PRIMARY KEY (org_id, id),
  constraint registrations_org_id_webinar_id_person_id_key UNIQUE (org_id, webinar_id, person_id),
  constraint registrations_attendance_source_check CHECK ((attendance_source = ANY (ARRAY['api'::text, 'platform'::text]))),
  constraint registrations_push_state_check CHECK ((push_state = ANY (ARRAY['pending'::text, 'registered'::text, 'refused'::text]))),
  constraint registrations_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE,
  constraint registrations_org_id_webinar_id_fkey FOREIGN KEY (org_id, webinar_id) REFERENCES webinars(org_id, id) ON DELETE CASCADE
);
CREATE INDEX registrations_by_external_id ON registrations USING btree (org_id, webinar_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX registrations_by_time ON registrations USING btree (org_id, webinar_id, registered_at DESC, id DESC);
CREATE INDEX registrations_of_person ON registrations USING btree (org_id, person_id);
CREATE INDEX registrations_to_push ON registrations USING btree (org_id, webinar_id, push_next_at) WHERE (push_next_at IS NOT NULL);
alter table registrations enable row level security;
alter table registrations force row level security;
create policy relay on registrations for select to rostrum_relay using (true);
create policy tenant on registrations for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on registrations to rostrum_app;
grant select (org_id, webinar_id, push_next_at) on registrations to rostrum_relay;

create table segments (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  color text,
  preset text,
  filters jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint segments_pkey PRIMARY KEY (org_id, id),
  constraint segments_org_id_preset_key UNIQUE (org_id, preset),
  constraint segments_color_check CHECK ((color ~* '^#([0-9a-f]{3}|[0-9a-f]{6})$'::text)),
  constraint segments_filters_check CHECK (((jsonb_typeof(filters) = 'array'::text) AND ((jsonb_array_length(filters) >= 1) AND (jsonb_array_length(filters) <= 20)))),
  constraint segments_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint segments_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX segments_by_created_at ON segments USING btree (org_id, created_at, id);
alter table segments enable row level security;
alter table segments force row level security;
create policy tenant on segments for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on segments to rostrum_app;

create table senders (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  email text not null,
  reply_to text,
  domain_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint senders_pkey PRIMARY KEY (org_id, id),
  constraint senders_org_id_email_key UNIQUE (org_id, email),
  constraint senders_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint senders_org_id_domain_id_fkey FOREIGN KEY (org_id, domain_id) REFERENCES sending_domains(org_id, id) ON DELETE RESTRICT,
  constraint senders_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX senders_by_created_at ON senders USING btree (org_id, created_at, id);
CREATE INDEX senders_of_domain ON senders USING btree (org_id, domain_id);
alter table senders enable row level security;
alter table senders force row level security;
create policy tenant on senders for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on senders to rostrum_app;

create table sending_domains (
  org_id uuid not null,
  id uuid not null,
  domain text not null,
  ownership_token text not null,
  dkim_selector text not null,
  dkim_public_key text not null,
  dkim_private_key bytea not null,
  records jsonb default '{}'::jsonb not null,
  verified_at timestamptz,
  lost_at timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  created_at timestamptz not null,
  constraint sending_domains_pkey PRIMARY KEY (org_id, id),
  constraint sending_domains_org_id_domain_key UNIQUE (org_id, domain),
  constraint sending_domains_domain_check CHECK ((domain ~ '^[a-z0-9.-]{3,200}$'::text)),
  constraint sending_domains_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX sending_domains_by_created_at ON sending_domains USING btree (org_id, created_at, id);
CREATE INDEX sending_domains_next_check ON sending_domains USING btree (next_check_at);
alter table sending_domains enable row level security;
alter table sending_domains force row level security;
create policy relay on sending_domains for select to rostrum_relay using (true);
create policy tenant on sending_domains for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on sending_domains to rostrum_app;
grant select (org_id, id, next_check_at) on sending_domains to rostrum_relay;

create table signals (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  kind text not null,
  detail jsonb default '{}'::jsonb not null,
  created_at timestamptz not null,
  constraint signals_pkey PRIMARY KEY (org_id, id),
  constraint signals_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 100))),
  constraint signals_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX signals_of_person ON signals USING btree (org_id, person_id);
alter table signals enable row level security;
alter table signals force row level security;
create policy tenant on signals for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on signals to rostrum_app;

create table sms_numbers (
  org_id uuid not null,
  number text not null,
  created_at timestamptz not null,
  proven_at timestamptz,
  constraint sms_numbers_pkey PRIMARY KEY (org_id),
  constraint sms_numbers_number_check CHECK ((number ~ '^\+[1-9][0-9]{6,14}$'::text)),
  constraint sms_numbers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX sms_numbers_by_number ON sms_numbers USING btree (number);
CREATE UNIQUE INDEX sms_numbers_proven ON sms_numbers USING btree (number) WHERE (proven_at IS NOT NULL);
alter table sms_numbers enable row level security;
alter table sms_numbers force row level security;
create policy gate on sms_numbers for select to rostrum_gate using (true);
create policy relay on sms_numbers for select to rostrum_relay using (true);
create policy tenant on sms_numbers for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on sms_numbers to rostrum_app;
grant select on sms_numbers to rostrum_gate;
grant select (org_id, number, proven_at) on sms_numbers to rostrum_relay;

create table subscriptions (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  processor text not null,
  processor_subscription_id text not null,
  status text not null,
  item_names text[] default '{}'::text[] not null,
  cost bigint default 0 not null,
  started_at timestamptz,
  canceled_at timestamptz,
  current_period_start timestamptz,
  current_period_end timestamptz,
  trial_start timestamptz,
  trial_end timestamptz,
  created_at timestamptz not null,
  constraint subscriptions_pkey PRIMARY KEY (org_id, id),
  constraint subscriptions_org_id_processor_processor_subscription_id_key UNIQUE (org_id, processor, processor_subscription_id),
  constraint subscriptions_processor_check CHECK ((processor = ANY (ARRAY['processor_a'::text, 'processor_b'::text, 'processor_c'::text]))),
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['incomplete'::text, 'incomplete_expired'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text, 'unpaid'::text, 'paused'::text, 'inactive'::text]))),
  constraint subscriptions_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX subscriptions_of_person ON subscriptions USING btree (org_id, person_id, created_at DESC, id DESC);
alter table subscriptions enable row level security;
alter table subscriptions force row level security;
create policy tenant on subscriptions for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on subscriptions to rostrum_app;

create table suppressed_addresses (
  org_id uuid not null,
  channel text not null,
  address_hash bytea not null,
  suppressed_at timestamptz not null,
  constraint suppressed_addresses_pkey PRIMARY KEY (org_id, channel, address_hash),
  constraint suppressed_addresses_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint suppressed_addresses_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table suppressed_addresses enable row level security;
alter table suppressed_addresses force row level security;
create policy tenant on suppressed_addresses for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, delete on suppressed_addresses to rostrum_app;

create table tasks (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  title text not null,
  created_at timestamptz not null,
  done_at timestamptz,
  constraint tasks_pkey PRIMARY KEY (org_id, id),
  constraint tasks_title_check CHECK (((length(title) >= 1) AND (length(title) <= 500))),
  constraint tasks_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE RESTRICT
);
CREATE INDEX tasks_of_person ON tasks USING btree (org_id, person_id);
alter table tasks enable row level security;
alter table tasks force row level security;
create policy tenant on tasks for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on tasks to rostrum_app;

create table test_sends (
  org_id uuid not null,
  id uuid not null,
  broadcast_id uuid not null,
  person_id uuid,
  addresses text[] not null,
  messages bigint not null,
  created_at timestamptz not null,
  taken_at timestamptz,
  constraint test_sends_pkey PRIMARY KEY (org_id, id),
  constraint test_sends_org_id_broadcast_id_fkey FOREIGN KEY (org_id, broadcast_id) REFERENCES broadcasts(org_id, id) ON DELETE CASCADE,
  constraint test_sends_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX test_sends_of_broadcast ON test_sends USING btree (org_id, broadcast_id);
CREATE INDEX test_sends_of_person ON test_sends USING btree (org_id, person_id) WHERE (person_id IS NOT NULL);
CREATE INDEX test_sends_untaken ON test_sends USING btree (created_at) WHERE (taken_at IS NULL);
alter table test_sends enable row level security;
alter table test_sends force row level security;
create policy relay on test_sends for select to rostrum_relay using (true);
create policy tenant on test_sends for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on test_sends to rostrum_app;
grant select (org_id, id, created_at, taken_at) on test_sends to rostrum_relay;

create table tracking_hits (
  org_id uuid not null,
  id bigint default (first_number_of_month(now()) + nextval('tracking_hit_ids'::regclass)) not null,
  delivery_id bigint not null,
  kind text not null,
  link bigint,
  at timestamptz not null,
  agent text not null,
  method text not null,
  verdict text,
  why text,
  broadcast_id uuid,
  constraint tracking_hits_pkey PRIMARY KEY (org_id, id),
  constraint tracking_hits_agent_check CHECK ((length(agent) <= 300)),
  constraint tracking_hits_kind_check CHECK ((kind = ANY (ARRAY['open'::text, 'click'::text]))),
  constraint tracking_hits_method_check CHECK ((method = ANY (ARRAY['GET'::text, 'HEAD'::text]))),
  constraint tracking_hits_verdict_check CHECK ((verdict = ANY (ARRAY['human'::text, 'machine'::text])))
) partition by range (id);
create table tracking_hits_default partition of tracking_hits DEFAULT with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);
-- row level security is forced on tracking_hits_default
CREATE INDEX tracking_hits_followed ON ONLY tracking_hits USING btree (org_id, broadcast_id, link, delivery_id) WHERE (broadcast_id IS NOT NULL);
CREATE INDEX tracking_hits_of_delivery ON ONLY tracking_hits USING btree (org_id, delivery_id, at);
CREATE INDEX tracking_hits_unjudged ON ONLY tracking_hits USING btree (org_id, at, id) WHERE (verdict IS NULL);
alter table tracking_hits enable row level security;
alter table tracking_hits force row level security;
create policy relay on tracking_hits for select to rostrum_relay using (true);
create policy tenant on tracking_hits for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on tracking_hits to rostrum_app;
grant select (org_id, at, verdict) on tracking_hits to rostrum_relay;

create table wait_clocks (
  org_id uuid not null,
  id uuid not null,
  next_at timestamptz not null,
  busy_by text,
  busy_until timestamptz,
  constraint wait_clocks_pkey PRIMARY KEY (org_id, id),
  constraint wait_clocks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
) with (fillfactor=50);
CREATE INDEX wait_clocks_due ON wait_clocks USING btree (next_at);
alter table wait_clocks enable row level security;
alter table wait_clocks force row level security;
create policy relay on wait_clocks for select to rostrum_relay using (true);
create policy tenant on wait_clocks for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on wait_clocks to rostrum_app;
grant select (org_id, id, next_at, busy_until) on wait_clocks to rostrum_relay;

create table waits (
  org_id uuid not null,
  run_id uuid not null,
  clock_id uuid not null,
  person_id uuid not null,
  workflow_id uuid not null,
  version bigint not null,
  node text not null,
  anchor text,
  offset_ms bigint,
  due_at timestamptz,
  began_at timestamptz not null,
  held boolean default false not null,
  constraint waits_pkey PRIMARY KEY (org_id, run_id),
  constraint waits_anchor_check CHECK ((anchor = ANY (ARRAY['start'::text, 'end'::text]))),
  constraint waits_check CHECK ((((anchor IS NULL) = (offset_ms IS NULL)) AND ((anchor IS NULL) = (due_at IS NOT NULL)))),
  constraint waits_org_id_run_id_fkey FOREIGN KEY (org_id, run_id) REFERENCES workflow_runs(org_id, id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);
CREATE INDEX waits_anchored ON waits USING btree (org_id, clock_id, held, anchor, offset_ms) WHERE (anchor IS NOT NULL);
CREATE INDEX waits_at_node ON waits USING btree (org_id, workflow_id, node);
CREATE INDEX waits_held ON waits USING btree (org_id, workflow_id) WHERE held;
CREATE INDEX waits_of_workflow ON waits USING btree (org_id, workflow_id, clock_id);
CREATE INDEX waits_timed ON waits USING btree (org_id, clock_id, held, due_at) WHERE (anchor IS NULL);
alter table waits enable row level security;
alter table waits force row level security;
create policy tenant on waits for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on waits to rostrum_app;

create table webinars (
  org_id uuid not null,
  id uuid not null,
  title text not null,
  start_time timestamptz not null,
  created_at timestamptz not null,
  status text default 'scheduled'::text not null,
  timezone text,
  duration_minutes double precision,
  join_url text,
  provider text,
  moved_at timestamptz,
  canceled_at timestamptz,
  revision bigint default 1 not null,
  updated_at timestamptz,
  automation_id uuid,
  constraint webinars_pkey PRIMARY KEY (org_id, id),
  constraint webinars_duration_minutes_check CHECK (((duration_minutes > (0)::double precision) AND (duration_minutes <= (100000)::double precision))),
  constraint webinars_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'canceled'::text]))),
  constraint webinars_title_check CHECK (((length(title) >= 1) AND (length(title) <= 500))),
  constraint webinars_org_id_automation_id_fkey FOREIGN KEY (org_id, automation_id) REFERENCES workflows(org_id, id) ON DELETE SET NULL (automation_id),
  constraint webinars_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX webinars_by_start ON webinars USING btree (org_id, start_time DESC, id DESC);
alter table webinars enable row level security;
alter table webinars force row level security;
create policy tenant on webinars for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on webinars to rostrum_app;

create table workflow_run_counts (
  org_id uuid not null,
  id bigint generated always as identity not null,
  workflow_id uuid not null,
  webinar_id uuid,
  step bigint not null,
  forgotten bigint default 0 not null,
  constraint workflow_run_counts_pkey PRIMARY KEY (org_id, workflow_id, id),
  constraint workflow_run_counts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table workflow_run_counts enable row level security;
alter table workflow_run_counts force row level security;
create policy relay on workflow_run_counts for all to rostrum_relay using (true) with check (true);
create policy tenant on workflow_run_counts for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert on workflow_run_counts to rostrum_app;
grant select, insert, update, delete on workflow_run_counts to rostrum_relay;

create table workflow_runs (
  org_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  version bigint not null,
  person_id uuid not null,
  webinar_id uuid,
  registration_id uuid,
  event_id uuid,
  state text default 'running'::text not null,
  outcome text,
  path jsonb default '[]'::jsonb not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  constraint workflow_runs_pkey PRIMARY KEY (org_id, id),
  constraint workflow_runs_check CHECK (((state = 'ended'::text) = (ended_at IS NOT NULL))),
  constraint workflow_runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'ended'::text]))),
  constraint workflow_runs_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES people(org_id, id) ON DELETE CASCADE
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02);
CREATE UNIQUE INDEX workflow_runs_of_event ON workflow_runs USING btree (org_id, event_id, workflow_id) WHERE (event_id IS NOT NULL);
CREATE INDEX workflow_runs_of_person ON workflow_runs USING btree (org_id, person_id);
CREATE UNIQUE INDEX workflow_runs_of_registration ON workflow_runs USING btree (org_id, registration_id, workflow_id) WHERE (registration_id IS NOT NULL);
CREATE INDEX workflow_runs_of_workflow ON workflow_runs USING btree (org_id, workflow_id, started_at DESC, id DESC);
alter table workflow_runs enable row level security;
alter table workflow_runs force row level security;
create policy relay on workflow_runs for select to rostrum_relay using (true);
create policy tenant on workflow_runs for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on workflow_runs to rostrum_app;
grant select (org_id, id, state) on workflow_runs to rostrum_relay;
CREATE TRIGGER workflow_runs_added AFTER INSERT ON workflow_runs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_runs_added();
CREATE TRIGGER workflow_runs_removed AFTER DELETE ON workflow_runs REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_runs_removed();

create table workflow_versions (
  org_id uuid not null,
  workflow_id uuid not null,
  version bigint not null,
  graph jsonb not null,
  drawn jsonb not null,
  published_at timestamptz not null,
  constraint workflow_versions_pkey PRIMARY KEY (org_id, workflow_id, version),
  constraint workflow_versions_org_id_workflow_id_fkey FOREIGN KEY (org_id, workflow_id) REFERENCES workflows(org_id, id) ON DELETE CASCADE
);
alter table workflow_versions enable row level security;
alter table workflow_versions force row level security;
create policy tenant on workflow_versions for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, delete on workflow_versions to rostrum_app;

create table workflows (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  status text default 'draft'::text not null,
  graph jsonb not null,
  live_version bigint,
  trigger_kind text,
  trigger_webinar_id uuid,
  trigger_event text,
  revision bigint default 1 not null,
  changed boolean default true not null,
  problems bigint default 0 not null,
  resumed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint workflows_pkey PRIMARY KEY (org_id, id),
  constraint workflows_check CHECK (((status = 'draft'::text) = (live_version IS NULL))),
  constraint workflows_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint workflows_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'live'::text, 'paused'::text]))),
  constraint workflows_trigger_kind_check CHECK ((trigger_kind = ANY (ARRAY['webinar_registration'::text, 'event'::text]))),
  constraint workflows_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX workflows_by_created_at ON workflows USING btree (org_id, created_at DESC, id DESC);
CREATE INDEX workflows_on_event ON workflows USING btree (org_id, trigger_event) WHERE ((status = 'live'::text) AND (trigger_kind = 'event'::text));
CREATE INDEX workflows_on_registration ON workflows USING btree (org_id, trigger_webinar_id) WHERE ((status = 'live'::text) AND (trigger_kind = 'webinar_registration'::text));
alter table workflows enable row level security;
alter table workflows force row level security;
create policy tenant on workflows for all to rostrum_app using (org_id = current_org()) with check (org_id = current_org());
grant select, insert, update, delete on workflows to rostrum_app;

create table installation.audit_log (
  id uuid not null,
  at timestamptz not null,
  operation text not null,
  route text not null,
  constraint audit_log_pkey PRIMARY KEY (id)
);
alter table installation.audit_log enable row level security;
alter table installation.audit_log force row level security;
create policy relay on installation.audit_log for all to rostrum_relay using (true) with check (true);
grant select, insert on installation.audit_log to rostrum_relay;

create unlogged table installation.budget_shares (
  budget text not null,
  process uuid not null,
  share bigint not null,
  leased_until timestamptz not null,
  constraint budget_shares_pkey PRIMARY KEY (budget, process),
  constraint budget_shares_share_check CHECK ((share >= 0))
);
alter table installation.budget_shares enable row level security;
alter table installation.budget_shares force row level security;
create policy relay on installation.budget_shares for all to rostrum_relay using (true) with check (true);
grant select, insert, update, delete on installation.budget_shares to rostrum_relay;

create table installation.left_routes (
  org_id uuid not null,
  channel text not null,
  route text not null,
  left_at timestamptz not null,
  constraint left_routes_pkey PRIMARY KEY (org_id, channel, route),
  constraint left_routes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX left_routes_of_route ON installation.left_routes USING btree (route);
alter table installation.left_routes enable row level security;
alter table installation.left_routes force row level security;
create policy relay on installation.left_routes for all to rostrum_relay using (true) with check (true);
grant select, insert, update, delete on installation.left_routes to rostrum_relay;

create table installation.org_routes (
  org_id uuid not null,
  channel text not null,
  route text not null,
  constraint org_routes_pkey PRIMARY KEY (org_id, channel),
  constraint org_routes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint org_routes_route_channel_fkey FOREIGN KEY (route, channel) REFERENCES installation.routes(name, channel)
);
CREATE INDEX org_routes_of_route ON installation.org_routes USING btree (route, channel);
alter table installation.org_routes enable row level security;
alter table installation.org_routes force row level security;
create policy gate on installation.org_routes for select to rostrum_gate using (true);
create policy relay on installation.org_routes for all to rostrum_relay using (true) with check (true);
grant select on installation.org_routes to rostrum_gate;
grant select, insert, update, delete on installation.org_routes to rostrum_relay;

create table installation.routes (
  name text not null,
  channel text not null,
  kind text not null,
  address text not null,
  connections bigint,
  settings bytea not null,
  version uuid default gen_random_uuid() not null,
  changed_at timestamptz not null,
  constraint routes_pkey PRIMARY KEY (name),
  constraint routes_name_channel_key UNIQUE (name, channel),
  constraint routes_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint routes_name_check CHECK (((name ~ '^[a-z0-9][a-z0-9-]{0,39}$'::text) AND (name <> 'default'::text)))
);
alter table installation.routes enable row level security;
alter table installation.routes force row level security;
create policy gate on installation.routes for select to rostrum_gate using (true);
create policy relay on installation.routes for all to rostrum_relay using (true) with check (true);
grant select, insert, update, delete on installation.routes to rostrum_relay;
grant select (name, version) on installation.routes to rostrum_gate;

create table installation.slow_domains (
  route text not null,
  domain text not null,
  slow_until timestamptz not null,
  next_at timestamptz not null,
  reason text not null,
  constraint slow_domains_pkey PRIMARY KEY (route, domain)
);
alter table installation.slow_domains enable row level security;
alter table installation.slow_domains force row level security;
create policy gate on installation.slow_domains for all to rostrum_gate using (true) with check (true);
create policy relay on installation.slow_domains for all to rostrum_relay using (true);
grant select, insert, update on installation.slow_domains to rostrum_gate;
grant select, delete on installation.slow_domains to rostrum_relay;

create table installation.turn_requests (
  route text not null,
  domain text not null,
  org_id uuid not null,
  asked_at timestamptz not null,
  granted boolean not null,
  expected_until timestamptz not null,
  constraint turn_requests_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX turn_requests_of_domain ON installation.turn_requests USING btree (route, domain, org_id, asked_at);
CREATE INDEX turn_requests_of_org ON installation.turn_requests USING btree (org_id);
alter table installation.turn_requests enable row level security;
alter table installation.turn_requests force row level security;
create policy gate on installation.turn_requests for all to rostrum_gate using (true) with check (true);
create policy relay on installation.turn_requests for all to rostrum_relay using (true);
grant select, insert, delete on installation.turn_requests to rostrum_gate;
grant select, delete on installation.turn_requests to rostrum_relay;

create table auth.attempts (
  key bytea not null,
  count bigint not null,
  ends_at timestamptz not null,
  constraint attempts_pkey PRIMARY KEY (key)
);
CREATE INDEX attempts_by_end ON auth.attempts USING btree (ends_at);
alter table auth.attempts enable row level security;
alter table auth.attempts force row level security;
create policy auth on auth.attempts for all to rostrum_auth using (true) with check (true);
grant select, insert, update, delete on auth.attempts to rostrum_auth;

create table auth.audit_log (
  id uuid not null,
  at timestamptz not null,
  user_id uuid not null,
  act text not null,
  session_id uuid,
  address text,
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_by_time ON auth.audit_log USING btree (at);
CREATE INDEX audit_log_of_user ON auth.audit_log USING btree (user_id, id DESC);
alter table auth.audit_log enable row level security;
alter table auth.audit_log force row level security;
create policy auth on auth.audit_log for all to rostrum_auth using (true) with check (true);
create policy months on auth.audit_log for all to rostrum_owner using (true);
grant select, insert on auth.audit_log to rostrum_auth;

create table auth.clients (
  id uuid not null,
  name text,
  redirect_uris text[] not null,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  constraint clients_pkey PRIMARY KEY (id),
  constraint clients_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint clients_redirect_uris_check CHECK (((cardinality(redirect_uris) >= 1) AND (cardinality(redirect_uris) <= 10)))
);
CREATE INDEX clients_by_end ON auth.clients USING btree (ends_at);
alter table auth.clients enable row level security;
alter table auth.clients force row level security;
create policy auth on auth.clients for all to rostrum_auth using (true) with check (true);
grant select, insert, delete on auth.clients to rostrum_auth;
grant update (ends_at) on auth.clients to rostrum_auth;

create table auth.identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  constraint identities_pkey PRIMARY KEY (issuer, subject),
  constraint identities_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255))),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX identities_of_user ON auth.identities USING btree (user_id);
alter table auth.identities enable row level security;
alter table auth.identities force row level security;
create policy auth on auth.identities for all to rostrum_auth using (true) with check (true);
grant select, insert, delete on auth.identities to rostrum_auth;

create table auth.links (
  token_hash bytea not null,
  purpose text not null,
  email text not null,
  user_id uuid,
  ends_at timestamptz not null,
  constraint links_pkey PRIMARY KEY (token_hash),
  constraint links_check CHECK (((purpose = 'sign_up'::text) = (user_id IS NULL))),
  constraint links_purpose_check CHECK ((purpose = ANY (ARRAY['sign_up'::text, 'password'::text, 'sign_in'::text]))),
  constraint links_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX links_by_end ON auth.links USING btree (ends_at);
CREATE INDEX links_of_email ON auth.links USING btree (email);
CREATE INDEX links_of_user ON auth.links USING btree (user_id);
alter table auth.links enable row level security;
alter table auth.links force row level security;
create policy auth on auth.links for all to rostrum_auth using (true) with check (true);
grant select, insert, delete on auth.links to rostrum_auth;
grant update (ends_at) on auth.links to rostrum_auth;

create table auth.passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023))),
  constraint passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_of_user ON auth.passkeys USING btree (user_id);
alter table auth.passkeys enable row level security;
alter table auth.passkeys force row level security;
create policy auth on auth.passkeys for all to rostrum_auth using (true) with check (true);
grant select, insert, delete on auth.passkeys to rostrum_auth;
grant update (counter, name, used_at) on auth.passkeys to rostrum_auth;

create table auth.recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table auth.recovery_codes enable row level security;
alter table auth.recovery_codes force row level security;
create policy auth on auth.recovery_codes for all to rostrum_auth using (true) with check (true);
grant select, insert, delete on auth.recovery_codes to rostrum_auth;

create table auth.sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  awaits_code boolean not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  ends_at timestamptz not null,
  agent text not null,
  address text not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash),
  constraint sessions_agent_check CHECK ((length(agent) <= 300)),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_end ON auth.sessions USING btree (ends_at);
CREATE INDEX sessions_of_user ON auth.sessions USING btree (user_id);
alter table auth.sessions enable row level security;
alter table auth.sessions force row level security;
create policy auth on auth.sessions for all to rostrum_auth using (true) with check (true);
create policy door on auth.sessions for select to rostrum_door using (true);
grant select, insert, update, delete on auth.sessions to rostrum_auth;
grant select (id, user_id, token_hash, awaits_code, used_at, ends_at) on auth.sessions to rostrum_door;

create table auth.setup (
  one boolean default true not null,
  code bytea not null,
  constraint setup_pkey PRIMARY KEY (one),
  constraint setup_one_check CHECK (one)
);
alter table auth.setup enable row level security;
alter table auth.setup force row level security;
create policy auth on auth.setup for all to rostrum_auth using (true) with check (true);
grant select, insert, delete on auth.setup to rostrum_auth;
grant update (code) on auth.setup to rostrum_auth;

create table auth.used_challenges (
  challenge_hash bytea not null,
  ends_at timestamptz not null,
  constraint used_challenges_pkey PRIMARY KEY (challenge_hash)
);
CREATE INDEX used_challenges_by_end ON auth.used_challenges USING btree (ends_at);
alter table auth.used_challenges enable row level security;
alter table auth.used_challenges force row level security;
create policy auth on auth.used_challenges for all to rostrum_auth using (true) with check (true);
grant select, insert, delete on auth.used_challenges to rostrum_auth;
grant update (ends_at) on auth.used_challenges to rostrum_auth;

create table auth.users (
  id uuid not null,
  email text not null,
  password text,
  totp_secret bytea,
  totp_since timestamptz,
  totp_step bigint default 0 not null,
  created_at timestamptz not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_check CHECK (((totp_since IS NULL) OR (totp_secret IS NOT NULL))),
  constraint users_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254))))
);
alter table auth.users enable row level security;
alter table auth.users force row level security;
create policy auth on auth.users for all to rostrum_auth using (true) with check (true);
create policy door on auth.users for select to rostrum_door using (true);
grant select, insert, update, delete on auth.users to rostrum_auth;
grant select (id, email) on auth.users to rostrum_door;

create sequence delivery_ids; -- rostrum_app may usage
create sequence delivery_occasions; -- rostrum_app may usage
create sequence tracking_hit_ids; -- rostrum_app may usage

create function add_engagement(a double precision, b double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (a IS NULL) THEN b WHEN (b IS NULL) THEN a ELSE (GREATEST(a, b) + (ln(((1)::double precision + power((2)::double precision, GREATEST((- abs((a - b))), ('-200'::integer)::double precision)))) / ln((2)::double precision))) END;

create function add_system_segments(org uuid, at timestamptz)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 INSERT INTO segments (org_id, id, name, description, color, preset, filters, created_at, updated_at)  SELECT add_system_segments.org AS org,
             new_id(add_system_segments.at) AS new_id,
             s.name,
             s.description,
             s.color,
             s.preset,
             (s.filters)::jsonb AS filters,
             add_system_segments.at AS at,
             add_system_segments.at AS at
            FROM ( VALUES ('with_email'::text,'Everyone with an email'::text,'People who have an email address.'::text,'#2563eb'::text,'[{"property": "primary_email", "op": "is_not_empty"}]'::text), ('identified'::text,'Identified people'::text,'People with an email address, a first name or a last name.'::text,'#7c3aed'::text,'[{"property": "identified", "op": "eq", "value": true}]'::text), ('opted_out'::text,'Opted out'::text,'People who opted out of email or of texts.'::text,'#dc2626'::text,'[{"property": "opted_out", "op": "eq", "value": true}]'::text), ('customers'::text,'Customers'::text,'People whose subscription is active or on trial.'::text,'#16a34a'::text,'[{"property": "subscription_status", "op": "in", "values": ["active", "trialing"]}]'::text), ('recently_engaged'::text,'Recently engaged'::text,'People who opened an email within the last 30 days.'::text,'#ea580c'::text,'[{"property": "last_opened_at", "op": "gte", "value": "now-30d"}]'::text)) s(preset, name, description, color, filters);
END;

-- called by rostrum_relay
create function analyze_months()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  stale text := (
    select t.name from monthly_tables() t(name)
    where coalesce(pg_stat_get_last_analyze_time(t.name::regclass), '-infinity') < now() - interval '1 day' limit 1);
begin
  if stale is null then return 0; end if;
  execute format('analyze %I', stale);
  return 1;
end $function$;

create function choose_property_slot()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.slot := (
    select min(free.slot) from generate_series(0, 303) free(slot)
    where not exists (select 1 from property_configs c
        where c.org_id = new.org_id and c.type = new.type and c.slot = free.slot)
      and not exists (select 1 from property_removals r
        where r.org_id = new.org_id and r.type = new.type and r.slot = free.slot));
  return new;
end $function$;

create function count_deliveries_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into delivery_queue (org_id, broadcast_id, lane, due_at, id)
  select org_id, broadcast_id, queue_lane(state, lane), due_at, id from added where state in ('pending', 'sending');
  with counted as materialized (
    select org_id, broadcast_id, state, reason, count(*) as n from added group by org_id, broadcast_id, state, reason
  ), skipped as (
    insert into broadcast_reasons as r (org_id, broadcast_id, outcome, reason, count)
    select org_id, broadcast_id, state, reason, n from counted
    where state in ('skipped', 'failed', 'uncertain') and reason is not null order by 1, 2, 3, 4
    on conflict (org_id, broadcast_id, outcome, reason) do update set count = r.count + excluded.count
  )
  update broadcasts b set
    recipients = b.recipients + a.recipients, pending = b.pending + a.pending, skipped = b.skipped + a.skipped
  from (
    select org_id, broadcast_id, sum(n) as recipients,
      coalesce(sum(n) filter (where state in ('pending', 'sending')), 0) as pending,
      coalesce(sum(n) filter (where state = 'skipped'), 0) as skipped
    from counted group by org_id, broadcast_id order by org_id, broadcast_id) a
  where b.org_id = a.org_id and b.id = a.broadcast_id;
  return null;
end $function$;

create function count_deliveries_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A claim changes nothing that is counted, and is every other change.
  if not exists (
    select from (table changed union all table was) d
    where state not in ('pending', 'sending') or coalesce(sent_at, delivered_at, opened_at, clicked_at, bounced_at,
      complained_at, unsubscribed_at) is not null)
  then
    return null;
  end if;
  update broadcasts b set
    pending = b.pending + d.pending, sent = b.sent + d.sent, skipped = b.skipped + d.skipped,
    failed = b.failed + d.failed, uncertain = b.uncertain + d.uncertain,
    delivered = b.delivered + d.delivered, opened = b.opened + d.opened, clicked = b.clicked + d.clicked,
    bounced = b.bounced + d.bounced, complained = b.complained + d.complained,
    unsubscribed = b.unsubscribed + d.unsubscribed
  from (
    select org_id, broadcast_id,
      sum(step * (state in ('pending', 'sending'))::int) as pending,
      sum(step * (state = 'sent')::int) as sent,
      sum(step * (state = 'skipped')::int) as skipped,
      sum(step * (state = 'failed')::int) as failed,
      sum(step * (state = 'uncertain')::int) as uncertain,
      sum(step * (delivered_at is not null)::int) as delivered,
      sum(step * (opened_at is not null)::int) as opened,
      sum(step * (clicked_at is not null)::int) as clicked,
      sum(step * (bounced_at is not null)::int) as bounced,
      sum(step * (complained_at is not null)::int) as complained,
      sum(step * (unsubscribed_at is not null)::int) as unsubscribed
    from (
      select 1 as step, org_id, broadcast_id, state, delivered_at, opened_at, clicked_at, bounced_at, complained_at,
        unsubscribed_at from changed
      union all
      select -1, org_id, broadcast_id, state, delivered_at, opened_at, clicked_at, bounced_at, complained_at,
        unsubscribed_at from was) steps
    group by org_id, broadcast_id order by org_id, broadcast_id) d
  where b.org_id = d.org_id and b.id = d.broadcast_id
    and (d.pending, d.sent, d.skipped, d.failed, d.uncertain, d.delivered, d.opened, d.clicked, d.bounced, d.complained,
      d.unsubscribed) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  insert into broadcast_tallies as t (org_id, broadcast_id, kind, quarter, count)
  select org_id, broadcast_id, kind, quarter_of(at), sum(step) from (
    select n.org_id, n.broadcast_id, moment.kind, moment.at, 1 as step
    from changed n join was o using (id, org_id)
      cross join lateral (values
        ('sent', n.sent_at, o.sent_at), ('opened', n.opened_at, o.opened_at), ('clicked', n.clicked_at, o.clicked_at),
        (case when n.sent_at is null then 'refused' else 'bounced' end,
          case when n.bounce_class = 'hard' then n.bounced_at end, case when o.bounce_class = 'hard' then o.bounced_at end),
        ('complained', n.complained_at, o.complained_at)
      ) moment (kind, at, before)
    where moment.at is not null and moment.before is null) steps
  group by org_id, broadcast_id, kind, quarter_of(at) order by 1, 2, 3, 4
  on conflict (org_id, broadcast_id, kind, quarter) do update set count = t.count + excluded.count;
  insert into broadcast_reasons as r (org_id, broadcast_id, outcome, reason, count)
  select org_id, broadcast_id, state, reason, sum(step) from (
    select 1 as step, org_id, broadcast_id, state, reason from changed where state in ('skipped', 'failed', 'uncertain')
    union all
    select -1, org_id, broadcast_id, state, reason from was where state in ('skipped', 'failed', 'uncertain')) steps
  where reason is not null
  group by org_id, broadcast_id, state, reason having sum(step) <> 0 order by 1, 2, 3, 4
  on conflict (org_id, broadcast_id, outcome, reason) do update set count = r.count + excluded.count;
  return null;
end $function$;

create function count_people_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into people_counts (org_id, step) select org_id, count(*) from added group by org_id;
  return null;
end $function$;

create function count_people_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- An organization deleted whole takes its counts along.
  insert into people_counts (org_id, step)
    select r.org_id, -count(*) from removed r where exists (
      select 1 from organizations o where o.id = r.org_id and o.state <> 'deleting')
    group by r.org_id;
  return null;
end $function$;

create function count_runs_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into workflow_run_counts (org_id, workflow_id, webinar_id, step)
    select org_id, workflow_id, webinar_id, count(*) from added group by org_id, workflow_id, webinar_id;
  return null;
end $function$;

create function count_runs_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

create function current_org()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.org_id'::text, true), ''::text))::uuid;

create function delete_deliveries_of_org()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from deliveries where org_id = old.id;
  return null;
end $function$;

create function delete_tracking_hits_of_org()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from tracking_hits where org_id = old.id;
  return null;
end $function$;

create function dialed(phone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ select translate(phone, ' ().-', '') $function$;

-- called by nobody
create function drop_month(of_table text, at timestamptz)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  part text := of_table || to_char(at at time zone 'UTC', '_YYYY_MM');
  next timestamptz := (date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC';
begin
  if to_regclass(part) is null then return false; end if;
  if of_table = 'deliveries'
    and exists (select 1 from delivery_queue where id >> 40 = first_number_of_month(at) >> 40) then
    raise exception '% holds messages that are still to go out', part;
  end if;
  if of_table = 'events' then
    delete from named_events where id >= first_uuid_of_month(at) and id < first_uuid_of_month(next);
  end if;
  execute format('drop table %I', part);
  return true;
end $function$;

create function engagement_of(weight double precision, at timestamptz)
 RETURNS double precision
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((ln(weight) / ln((2)::double precision)) + ((EXTRACT(epoch FROM at))::double precision / ((30 * 86400))::double precision));

-- called by rostrum_relay
create function expire_month(of_table text, keep bigint, detach boolean)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  first timestamptz := (date_trunc('month', now() at time zone 'UTC') - keep * interval '1 month') at time zone 'UTC';
  part text;
  month timestamptz;
begin
  if keep < 1 or of_table not in (select monthly_tables()) then
    raise exception '% is not kept by month, or for less than one', of_table;
  end if;
  part := (
    select min(c.relname::text) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = of_table::regclass and c.relname::text ~ '_[0-9]{4}_[0-9]{2}$'
      and c.relname::text < of_table || to_char(first at time zone 'UTC', '_YYYY_MM'));
  if part is null then return null; end if;
  month := to_timestamp(right(part, 7), 'YYYY_MM')::timestamp at time zone 'UTC';
  if of_table = 'deliveries' and exists (
    select 1 from delivery_queue where id >> 40 = first_number_of_month(month) >> 40) then
    return null;
  end if;
  if detach then execute format('alter table %I detach partition %I', of_table, part);
  else execute format('drop table %I', part); end if;
  return part;
end $function$;

create function first_number_of_month(at timestamptz)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((((((EXTRACT(year FROM (at AT TIME ZONE 'UTC'::text)) - (2000)::numeric) * (12)::numeric) + EXTRACT(month FROM (at AT TIME ZONE 'UTC'::text))) - (1)::numeric))::bigint << 40);

create function first_uuid_of_month(at timestamptz)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((lpad(to_hex(((EXTRACT(epoch FROM date_trunc('month'::text, (at AT TIME ZONE 'UTC'::text))) * (1000)::numeric))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid;

create function fold_text(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length($1) = length($1)) THEN (lower(($1 COLLATE "C")) COLLATE "C") ELSE (translate(lower(($1 COLLATE "und-x-icu")), 'ς'::text, 'σ'::text) COLLATE "C") END;

-- called by rostrum_relay
create function forget_account_acts(keep bigint, most bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  gone bigint;
  first timestamptz := (date_trunc('month', now() at time zone 'UTC') - keep * interval '1 month') at time zone 'UTC';
begin
  if keep < 1 then raise exception 'the acts of accounts are kept for a month at least'; end if;
  delete from auth.audit_log where id = any(array(
    select id from auth.audit_log where at < first order by at limit most for update skip locked));
  get diagnostics gone = row_count;
  return gone;
end $function$;

-- called by rostrum_relay
create function forget_event_names(most bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  gone bigint;
  first text := (
    select min(right(c.relname::text, 7)) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname::text ~ '_[0-9]{4}_[0-9]{2}$');
begin
  if first is null then return 0; end if;
  delete from named_events where id = any(array(
    select id from named_events
    where id < first_uuid_of_month(to_timestamp(first, 'YYYY_MM')::timestamp at time zone 'UTC')
    order by id limit most for update skip locked));
  get diagnostics gone = row_count;
  return gone;
end $function$;

-- called by rostrum_relay
create function forget_links(most bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  gone bigint;
  oldest text := (
    select min(right(c.relname::text, 7)) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'deliveries'::regclass and c.relname::text ~ '_[0-9]{4}_[0-9]{2}$');
  first timestamptz := to_timestamp(oldest, 'YYYY_MM')::timestamp at time zone 'UTC';
begin
  delete from broadcast_links l using (
    select u.org_id, u.broadcast_id, u.link from broadcast_links u
    join broadcasts b on b.org_id = u.org_id and b.id = u.broadcast_id
    where u.broadcast_id >= first_uuid_of_month(first - interval '3 months')
      and u.broadcast_id < first_uuid_of_month(first) and u.clicks = 0 and b.finished_at < first
    limit most) old
  where l.org_id = old.org_id and l.broadcast_id = old.broadcast_id and l.link = old.link;
  get diagnostics gone = row_count;
  return gone;
end $function$;

create function hold_property_configs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform 1 from property_configs c
  where (c.org_id, c.id) in (select v.org_id, v.config_id from changed v)
  order by c.org_id, c.id for key share;
  if exists (select 1 from changed v where not exists (
    select 1 from property_configs c where c.org_id = v.org_id and c.id = v.config_id)) then
    raise foreign_key_violation using message = 'a value for a property that is not there';
  end if;
  return null;
end $function$;

-- called by nobody
create function make_month(of_table text, at timestamptz)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  month timestamptz := date_trunc('month', at at time zone 'UTC') at time zone 'UTC';
  next timestamptz := (date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC';
  part text := of_table || to_char(month at time zone 'UTC', '_YYYY_MM');
  rest text := of_table || '_default';
  storage text := (select ' with (' || array_to_string(reloptions, ', ') || ')' from pg_class where oid = rest::regclass);
  columns text := (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = rest::regclass and attnum > 0 and not attisdropped and attgenerated = '');
  lowest text; highest text;
begin
  if to_regclass(part) is not null then return false; end if;
  perform pg_advisory_xact_lock(7402116);
  if to_regclass(part) is not null then return false; end if;
  if (select atttypid from pg_attribute where attrelid = rest::regclass and attname = 'id') = 'uuid'::regtype then
    lowest := first_uuid_of_month(month); highest := first_uuid_of_month(next);
  else
    lowest := first_number_of_month(month); highest := first_number_of_month(next);
  end if;
  execute format('create table %I (like %I including all)%s', part, rest, storage);
  execute format('alter table %I no force row level security', rest);
  execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I (%s) select %s from moved',
    rest, lowest, highest, part, columns, columns);
  execute format('alter table %I force row level security', rest);
  execute format('alter table %I enable row level security, force row level security', part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, part, lowest, highest);
  return true;
end $function$;

-- called by rostrum_relay
create function make_months()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  made bigint := 0;
  missing record;
begin
  for missing in
    select t.name, m.month from monthly_tables() t(name), lateral (
      select (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month') at time zone 'UTC' as month
      from generate_series(0, 3) n) m
  loop
    made := made + make_month(missing.name, missing.month)::int;
  end loop;
  return made;
end $function$;

-- called by nobody
create function monthly_tables()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select relname::text from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
  where p.partstrat = 'r' and c.relnamespace = 'public'::regnamespace order by 1
$function$;

create function named_ids(ids jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT (jsonb_path_query(ids, '$.*[*]'::jsonpath) #>> '{}'::text[]));

create function new_id(at timestamptz)
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN (((((lpad(to_hex(((EXTRACT(epoch FROM at) * (1000)::numeric))::bigint), 12, '0'::text) || '7'::text) || substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 3)) || '8'::text) || substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 17, 15)))::uuid;

create function organization_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_system_segments(new.id, new.created_at);
  return null;
end $function$;

create function property_page(type text, slot smallint)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((slot / CASE type WHEN 'boolean'::text THEN 16 ELSE 8 END))::smallint;

create function property_place(type text, slot smallint)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE type WHEN 'number'::text THEN ((slot)::integer % 8) WHEN 'boolean'::text THEN (8 + ((slot)::integer % 16)) ELSE (24 + ((slot)::integer % 8)) END;

create function quarter_of(at timestamptz)
 RETURNS timestamptz
 LANGUAGE sql
 IMMUTABLE
AS $function$ select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00Z') $function$;

create function queue_lane(state text, lane bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE state WHEN 'pending'::text THEN ('-1'::integer)::bigint WHEN 'sending'::text THEN COALESCE(lane, ('-2'::integer)::bigint) ELSE NULL::bigint END;

-- called by rostrum_app
create function remove_organization(most bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  org uuid := current_org();
  removed bigint;
begin
  if not exists (select 1 from organizations where id = org) then
    raise exception 'this organization is not being deleted';
  end if;
  delete from audit_log where org_id = org and id <= (
    select id from (select id from audit_log where org_id = org order by id limit most) first order by id desc limit 1);
  get diagnostics removed = row_count;
  if removed = 0 then
    delete from rate_windows where org_id = org;
    delete from organizations where id = org;
  end if;
  return removed;
end $function$;

create function repeat_property_values()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  emptied record;
begin
  if tg_op <> 'DELETE' then
    with v as materialized ( -- so that a place is worked out once, not for each of the columns below
      select v.*, property_page(c.type, c.slot) as page, property_place(c.type, c.slot) as place
      from changed v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
    )
    insert into property_pages as p (org_id, person_id, page,
    n0, n1, n2, n3, n4, n5, n6, n7,
    b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15,
    t0, t1, t2, t3, t4, t5, t6, t7)
    select org_id, person_id, page,
    max(number_value) filter (where place = 0),
    max(number_value) filter (where place = 1),
    max(number_value) filter (where place = 2),
    max(number_value) filter (where place = 3),
    max(number_value) filter (where place = 4),
    max(number_value) filter (where place = 5),
    max(number_value) filter (where place = 6),
    max(number_value) filter (where place = 7),
    bool_or(boolean_value) filter (where place = 8),
    bool_or(boolean_value) filter (where place = 9),
    bool_or(boolean_value) filter (where place = 10),
    bool_or(boolean_value) filter (where place = 11),
    bool_or(boolean_value) filter (where place = 12),
    bool_or(boolean_value) filter (where place = 13),
    bool_or(boolean_value) filter (where place = 14),
    bool_or(boolean_value) filter (where place = 15),
    bool_or(boolean_value) filter (where place = 16),
    bool_or(boolean_value) filter (where place = 17),
    bool_or(boolean_value) filter (where place = 18),
    bool_or(boolean_value) filter (where place = 19),
    bool_or(boolean_value) filter (where place = 20),
    bool_or(boolean_value) filter (where place = 21),
    bool_or(boolean_value) filter (where place = 22),
    bool_or(boolean_value) filter (where place = 23),
    max(text_key(text_value)) filter (where place = 24),
    max(text_key(text_value)) filter (where place = 25),
    max(text_key(text_value)) filter (where place = 26),
    max(text_key(text_value)) filter (where place = 27),
    max(text_key(text_value)) filter (where place = 28),
    max(text_key(text_value)) filter (where place = 29),
    max(text_key(text_value)) filter (where place = 30),
    max(text_key(text_value)) filter (where place = 31)
    from v group by org_id, person_id, page order by org_id, person_id, page -- all lock in one order
    on conflict (org_id, person_id, page) do update set
    n0 = coalesce(excluded.n0, p.n0), n1 = coalesce(excluded.n1, p.n1), n2 = coalesce(excluded.n2, p.n2),
    n3 = coalesce(excluded.n3, p.n3), n4 = coalesce(excluded.n4, p.n4), n5 = coalesce(excluded.n5, p.n5),
    n6 = coalesce(excluded.n6, p.n6), n7 = coalesce(excluded.n7, p.n7), b0 = coalesce(excluded.b0, p.b0),
    b1 = coalesce(excluded.b1, p.b1), b2 = coalesce(excluded.b2, p.b2), b3 = coalesce(excluded.b3, p.b3),
    b4 = coalesce(excluded.b4, p.b4), b5 = coalesce(excluded.b5, p.b5), b6 = coalesce(excluded.b6, p.b6),
    b7 = coalesce(excluded.b7, p.b7), b8 = coalesce(excluded.b8, p.b8), b9 = coalesce(excluded.b9, p.b9),
    b10 = coalesce(excluded.b10, p.b10), b11 = coalesce(excluded.b11, p.b11), b12 = coalesce(excluded.b12, p.b12),
    b13 = coalesce(excluded.b13, p.b13), b14 = coalesce(excluded.b14, p.b14), b15 = coalesce(excluded.b15, p.b15),
    t0 = coalesce(excluded.t0, p.t0), t1 = coalesce(excluded.t1, p.t1), t2 = coalesce(excluded.t2, p.t2),
    t3 = coalesce(excluded.t3, p.t3), t4 = coalesce(excluded.t4, p.t4), t5 = coalesce(excluded.t5, p.t5),
    t6 = coalesce(excluded.t6, p.t6), t7 = coalesce(excluded.t7, p.t7);
    update property_configs c set has_long_texts = true
    where not c.has_long_texts and (c.org_id, c.id) in (
      select v.org_id, v.config_id from changed v where octet_length(v.text_value) > 500);
  end if;
  for emptied in
    select c.org_id, property_page(c.type, c.slot) as page, property_place(c.type, c.slot) as place,
      array_agg(v.person_id) as people
    from changed v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
    where case when tg_op = 'DELETE'
      -- Whoever is deleted whole takes the pages along.
      then exists (select 1 from people p where p.org_id = v.org_id and p.id = v.person_id)
      else num_nonnulls(v.text_value, v.number_value, v.boolean_value) = 0 end
    group by c.org_id, c.id
  loop
    execute format('update property_pages p set %s = null
      where p.org_id = $1 and p.page = %s and p.person_id = any($2)',
      case when emptied.place < 8 then 'n' || emptied.place when emptied.place < 24 then 'b' || emptied.place - 8
        else 't' || emptied.place - 24 end, emptied.page)
      using emptied.org_id, emptied.people;
  end loop;
  return null;
end $function$;

create function requeue_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if not exists (select from (table was union all table changed) d where state in ('pending', 'sending')) then
    return null; -- it rests: opened, clicked, bounced
  end if;
  -- The lane is worked out first: the policy lets only a value find its way by the index.
  execute $statement$
    delete from delivery_queue where ctid = any(array(
      select (
        select q.ctid from delivery_queue q
        where q.org_id = o.org_id and q.broadcast_id = o.broadcast_id and q.lane = o.place and q.due_at = o.due_at
          and q.id = o.id)
      from (
        select org_id, broadcast_id, queue_lane(state, lane) as place, due_at, id from was
        where state in ('pending', 'sending') offset 0) o)) $statement$;
  insert into delivery_queue (org_id, broadcast_id, lane, due_at, id)
  select org_id, broadcast_id, queue_lane(state, lane), due_at, id from changed where state in ('pending', 'sending');
  return null;
end $function$;

create function require_property_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select 1 from property_values v where v.org_id = old.org_id and v.config_id = old.id)
    and not exists (select 1 from property_removals r where r.org_id = old.org_id and r.config_id = old.id) then
    raise foreign_key_violation using message = 'a property was deleted while it had values';
  end if;
  return null;
end $function$;

create function search_keys(org uuid, folded text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  seed bigint := uuid_hash_extended(org, 0);
  keys bigint[] := '{}';
begin
  for n in 1..greatest(1, length(folded) - 2) loop
    keys := keys || hashtextextended(substr(folded, n, 3), seed);
  end loop;
  return keys;
end $function$;

create function text_key(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (CASE WHEN (octet_length($1) <= 500) THEN $1 ELSE rpad(("left"($1, 100) || md5($1)), 501, '-'::text) END COLLATE "C");

create function unqueue_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from delivery_queue q using removed r
  where r.state in ('pending', 'sending') and q.org_id = r.org_id and q.broadcast_id = r.broadcast_id
    and q.lane = queue_lane(r.state, r.lane) and q.due_at = r.due_at and q.id = r.id;
  return null;
end $function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.audit_of_object(wanted text, before uuid, most bigint)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select id from audit_log
  where org_id = current_org() and named_ids(ids) @> array[wanted] and id < before
  order by id desc limit most
$function$;

-- owned by rostrum_gate
-- called by nobody
create function gate.clock_ahead()
 RETURNS interval
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select make_interval(secs => clock_ahead_ms / 1000.0) from organizations where id = current_org() $function$;

-- owned by rostrum_gate
-- called by nobody
create function gate.email_route()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce((select route from installation.org_routes where org_id = current_org() and channel = 'email'), 'default')
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.find_api_key(wanted bytea)
 RETURNS TABLE(org_id uuid, mode text, currency text, state text, state_reason text, key_id uuid, permissions text[], expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query
  select k.org_id, o.mode, o.currency, o.state, o.state_reason, k.id, k.permissions, k.expires_at, k.revoked_at,
    k.last_used_at
  from api_keys k join organizations o on o.id = k.org_id
  where k.secret_hash = wanted and o.state <> 'deleting';
end
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.find_connection(wanted bytea)
 RETURNS TABLE(org_id uuid, mode text, currency text, state text, state_reason text, connection_id uuid, family_id uuid, user_id uuid, role text, permissions text[], ends_at timestamptz, last_used_at timestamptz)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query
  select c.org_id, o.mode, o.currency, o.state, o.state_reason, c.id, f.id, c.user_id, m.role, c.permissions,
    least(f.access_ends_at, c.ends_at), c.last_used_at
  from connection_families f
    join connections c on c.org_id = f.org_id and c.id = f.tool_connection_id
    join members m on m.org_id = c.org_id and m.id = c.user_id
    join organizations o on o.id = c.org_id
  where f.access_hash = wanted and o.state <> 'deleting';
end
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.find_invitation(wanted bytea, at timestamptz)
 RETURNS TABLE(org_id uuid, name text, mode text, id uuid, role text, email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select o.id, o.name, o.mode, i.id, i.role, i.email
  from invitations i join organizations o on o.id = i.org_id
  where i.token_hash = wanted and i.ends_at > at and o.state <> 'deleting'
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.find_registration_page(wanted text)
 RETURNS TABLE(org_id uuid, webinar_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query
  select p.org_id, p.webinar_id
  from registration_pages p join organizations o on o.id = p.org_id
  where p.slug = wanted and o.state <> 'deleting';
end
$function$;

-- owned by rostrum_door
-- called by rostrum_app
create function gate.find_session(wanted bytea)
 RETURNS TABLE(session_id uuid, user_id uuid, email text, awaits_code boolean, used_at timestamptz, ends_at timestamptz)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'auth', 'pg_temp'
AS $function$
begin
  return query
  select s.id, s.user_id, u.email, s.awaits_code, s.used_at, s.ends_at
  from auth.sessions s join auth.users u on u.id = s.user_id
  where s.token_hash = wanted;
end
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.invitations_to(wanted text, at timestamptz)
 RETURNS TABLE(org_id uuid, name text, mode text, id uuid, role text, token_hash bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select o.id, o.name, o.mode, i.id, i.role, i.token_hash
  from invitations i join organizations o on o.id = i.org_id
  where i.email = wanted and i.ends_at > at and o.state <> 'deleting'
  order by o.id
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.number_is_taken(wanted text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (
    select from sms_numbers where number = wanted and proven_at is not null and org_id <> current_org())
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.organizations_of(wanted uuid)
 RETURNS TABLE(org_id uuid, name text, mode text, currency text, state text, state_reason text, role text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query
  select o.id, o.name, o.mode, o.currency, o.state, o.state_reason, m.role
  from members m join organizations o on o.id = m.org_id
  where m.id = wanted and o.state <> 'deleting'
  order by o.id;
end
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.people_with_number(wanted text)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select distinct i.person_id from identifiers i
  where i.org_id = current_org() and i.type = 'phone' and dialed(i.value) = wanted
  order by 1
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.route_of(wanted text)
 RETURNS TABLE(name text, version uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select r.name, r.version from installation.org_routes o join installation.routes r on r.name = o.route
  where o.org_id = current_org() and o.channel = wanted
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.search_people(wanted text, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  org uuid := current_org();
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
end $function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.slow_domains(wanted text[], at timestamptz)
 RETURNS TABLE(domain text, slow_until timestamptz, next_at timestamptz)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select d.domain, d.slow_until + ahead, d.next_at + ahead
  from installation.slow_domains d, gate.clock_ahead() ahead
  where d.route = gate.email_route() and d.domain = any(wanted) and d.slow_until > at - ahead
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.slow_down(over text, asked text, until timestamptz, next_turn timestamptz, why text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- owned by rostrum_gate
-- called by rostrum_app
create function gate.take_turns(wanted text[], at timestamptz, next_turn timestamptz)
 RETURNS SETOF text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

create aggregate sum_engagement(double precision) (sfunc = add_engagement, stype = double precision);
