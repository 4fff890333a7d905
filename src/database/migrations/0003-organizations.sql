set local role rostrum_owner;

-- The organization of the running transaction. Policies call it in a sub-select, so that it is read once a query.
create function current_org() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.org_id', true), '')::uuid;

-- A UUIDv7, for rows made in bulk by a statement.
create function new_id(at timestamptz) returns uuid language sql volatile parallel safe
  return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 3)
    || '8' || substr(replace(gen_random_uuid()::text, '-', ''), 17, 15))::uuid;

-- clock_ahead_ms: how far the clock of a test organization runs ahead; a live one's never does. clock_moved_at is the
-- real moment at which it was last moved: what became due by a leap is not late because of it. test_recipients: where a
-- test organization's messages may really go, addresses, or @domain for all of one; the rest end in a sink.
-- default_country: where phone numbers that name no country are dialed, ISO 3166, two letters.
-- history_months: whole months of messages and events that are kept, where that is shorter than the operator's (ADR 74).
-- state: a suspended organization sends and changes nothing, one that is deleting is nobody's any more (ADR 64).
-- state_at: since when, by the service's clock, also of one that was resumed.
create table organizations (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  mode text not null check (mode in ('live', 'test')),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  timezone text not null default 'UTC',
  created_at timestamptz not null,
  two_key_sending boolean not null default false,
  hold_if_audience_changes_by bigint check (hold_if_audience_changes_by between 1 and 100),
  clock_moved_at timestamptz,
  clock_ahead_ms bigint not null default 0 check (clock_ahead_ms = 0 or (clock_ahead_ms > 0 and mode = 'test')),
  test_recipients text[] not null default '{}',
  default_country text check (default_country ~ '^[A-Z]{2}$'),
  history_months bigint check (history_months between 1 and 1200),
  state text not null default 'active' check (state in ('active', 'suspended', 'deleting')),
  state_reason text check (length(state_reason) between 1 and 500),
  state_at timestamptz
);
create index organizations_resting on organizations (id) where state <> 'active';
create index organizations_forgetting on organizations (id) where history_months is not null;
alter table organizations enable row level security;
alter table organizations force row level security;
create policy tenant on organizations to rostrum_app
  using (id = (select current_org())) with check (id = (select current_org()));
create policy gate on organizations for select to rostrum_gate using (true);
grant select, insert, update on organizations to rostrum_app;
-- The sweep tells the engine of what is due by an organization's own clock; `rostrum org list` names them all.
create policy relay on organizations for select to rostrum_relay using (true);
grant select on organizations to rostrum_gate;
grant select (id, name, mode, currency, created_at, clock_ahead_ms, state, state_reason, state_at, history_months)
  on organizations to rostrum_relay;

create table api_keys (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  prefix text not null,
  secret_hash bytea not null unique,
  permissions text[] not null,
  created_at timestamptz not null,
  created_by uuid, -- the member who made it; none, if it was the operator
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (org_id, id)
);
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy tenant on api_keys to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy gate on api_keys for select to rostrum_gate using (true);
grant select, insert, update on api_keys to rostrum_app;
grant select on api_keys to rostrum_gate;

-- An organization that is being deleted, or was: how many rows were removed of which table, and nothing else about it.
-- It stays when the organization is gone, so it refers to nothing (ADR 64). run_at: the last sign of progress. part: how
-- many parts are done, by which a handler knows whether another is at work. at_table: where it is.
create table organization_removals (
  org_id uuid primary key,
  asked_at timestamptz not null,
  run_at timestamptz,
  done_at timestamptz,
  part bigint not null default 0,
  at_table text,
  removed jsonb not null default '{}'
);
create index organization_removals_due on organization_removals (run_at) where done_at is null;
alter table organization_removals enable row level security;
alter table organization_removals force row level security;
create policy tenant on organization_removals to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on organization_removals for select to rostrum_relay using (true);
grant select, insert, update on organization_removals to rostrum_app;
grant select (org_id, asked_at, run_at, done_at) on organization_removals to rostrum_relay;

-- Append-only: the service may add and read, never change. Ids only; `reason` is what a caller gave for a deletion.
create table audit_log (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  at timestamptz not null,
  request_id text not null,
  actor_kind text not null check (actor_kind in ('api_key', 'user', 'service')),
  actor_id text not null,
  -- The tool connection by which the user acted, if it was not by a session.
  connection_id uuid,
  face text not null,
  address inet,
  operation text not null,
  ids jsonb not null,
  reason text,
  primary key (org_id, id)
) partition by range (id);
create table audit_log_default partition of audit_log default;
alter table audit_log_default enable row level security;
alter table audit_log_default force row level security;
-- Ids are made of the time, so every list is in the order of ids.
create index audit_log_by_actor on audit_log (org_id, actor_id, id);
create index audit_log_by_operation on audit_log (org_id, operation, id);
-- Every id that a row names.
create function named_ids(ids jsonb) returns text[] language sql immutable parallel safe
  return array(select jsonb_path_query(ids, 'lax $.*[*]') #>> '{}');
create index audit_log_by_object on audit_log using gin (named_ids(ids));
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy tenant on audit_log to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert on audit_log to rostrum_app;
create policy gate on audit_log for select to rostrum_gate using (true);
grant select (org_id, id, ids) on audit_log to rostrum_gate;

-- The first answer to an idempotency key, written in the transaction that made it. It may hold what is known of people,
-- named in about: it goes with them; that the request was made stays for its time, so that it is not done again.
create table idempotent_answers (
  org_id uuid not null references organizations (id) on delete cascade,
  operation text not null,
  key text not null check (length(key) between 1 and 255),
  input_hash bytea not null,
  answer json not null,
  created_at timestamptz not null,
  about uuid[] not null default '{}',
  primary key (org_id, operation, key)
);
create index idempotent_answers_oldest on idempotent_answers (created_at);
create index idempotent_answers_about on idempotent_answers using gin (about) where about <> '{}';
alter table idempotent_answers enable row level security;
alter table idempotent_answers force row level security;
create policy tenant on idempotent_answers to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on idempotent_answers to rostrum_relay using (true);
grant select, insert, delete, update (answer) on idempotent_answers to rostrum_app;
grant select, delete on idempotent_answers to rostrum_relay;

-- How much of a rate window every process together has taken. Lost with a crash, which only forgives.
create unlogged table rate_windows (
  org_id uuid not null,
  class text not null,
  window_start timestamptz not null,
  used bigint not null,
  last_grant bigint not null,
  primary key (org_id, class)
);
alter table rate_windows enable row level security;
alter table rate_windows force row level security;
create policy tenant on rate_windows to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep forgets what no window is left of.
create policy relay on rate_windows to rostrum_relay using (true);
grant select, insert, update on rate_windows to rostrum_app;
grant select, delete on rate_windows to rostrum_relay;

-- How many messages of a channel an organization may send in a calendar month, UTC. No row: as many as it likes.
create table allowances (
  org_id uuid not null references organizations (id) on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  per_month bigint not null check (per_month >= 0),
  primary key (org_id, channel)
);
alter table allowances enable row level security;
alter table allowances force row level security;
create policy tenant on allowances to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on allowances to rostrum_app;

-- What was taken of it.
create table allowance_uses (
  org_id uuid not null references organizations (id) on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  month date not null,
  used bigint not null check (used >= 0),
  primary key (org_id, channel, month)
);
alter table allowance_uses enable row level security;
alter table allowance_uses force row level security;
create policy tenant on allowance_uses to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update on allowance_uses to rostrum_app;

-- What the engine must be told, committed with the write that caused it. The engine knows a message by its key: numbers
-- would come again after a restore, and what the engine believes to have taken before it drops. tx: the transaction that
-- wrote it, by which a relay knows where to look: a row of a transaction that ended long ago comes no more, while the
-- entries of those that were deleted stay in the indexes as long as somebody holds a snapshot.
create table outbox (
  org_id uuid not null references organizations (id) on delete cascade,
  tx bigint not null default pg_current_xact_id()::text::bigint,
  id bigint generated always as identity,
  key uuid not null default gen_random_uuid(),
  service text not null,
  handler text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  traceparent text, -- while calls are traced
  primary key (org_id, tx, id)
);
create index outbox_order on outbox (tx, org_id);
alter table outbox enable row level security;
alter table outbox force row level security;
create policy tenant on outbox to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on outbox to rostrum_relay using (true) with check (true);
grant select, insert on outbox to rostrum_app;
-- FOR UPDATE asks for the right to update, though no row is ever changed.
grant select, insert, update, delete on outbox to rostrum_relay;

-- The end of an organization that is being deleted, which the service has no right to do by itself: some of its audit
-- rows, and when none are left the organization, with all that refers to it. Answers how many audit rows went.
create policy removal on organizations to rostrum_owner using (id = (select current_org()) and state = 'deleting');
create policy removal on audit_log to rostrum_owner using (org_id = (select current_org()));
create policy removal on rate_windows to rostrum_owner using (org_id = (select current_org()));
create function remove_organization(most bigint) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
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
end $$;
revoke all on function remove_organization(bigint) from public;
grant execute on function remove_organization(bigint) to rostrum_app;

-- One row about the installation as a whole; it holds nothing of any organization. held_at: since when nothing is sent,
-- because this database went back. released_at: up to when somebody has taken note of what it forgot. The sweep counts
-- beats, here and in the engine: an engine that counted more knows a later state of this database. outbox_from: nothing
-- of an earlier transaction is in the outbox, or will be.
create table installation (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  held_at timestamptz,
  held_because text,
  released_at timestamptz,
  beats bigint not null default 0,
  outbox_from bigint not null default 0
);
insert into installation default values;
grant select, update (held_at, held_because) on installation to rostrum_app;
grant select, update (held_at, held_because, released_at, beats, outbox_from) on installation to rostrum_relay;

-- A key is looked up before its organization is known, so this one question crosses organizations.
set local role rostrum_gate;
create function gate.find_api_key(wanted bytea)
returns table (org_id uuid, mode text, currency text, state text, state_reason text, key_id uuid, permissions text[],
  expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.org_id, o.mode, o.currency, o.state, o.state_reason, k.id, k.permissions, k.expires_at, k.revoked_at,
    k.last_used_at
  from api_keys k join organizations o on o.id = k.org_id
  where k.secret_hash = wanted and o.state <> 'deleting'
$$;
revoke all on function gate.find_api_key(bytea) from public;
grant execute on function gate.find_api_key(bytea) to rostrum_app;

-- Row level security lets no index be used that asks what a row's ids contain, so this question is asked here, within
-- the organization of the transaction.
create function gate.audit_of_object(wanted text, before uuid, most bigint) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select id from audit_log
  where org_id = current_org() and named_ids(ids) @> array[wanted] and id < before
  order by id desc limit most
$$;
revoke all on function gate.audit_of_object(text, uuid, bigint) from public;
grant execute on function gate.audit_of_object(text, uuid, bigint) to rostrum_app;
