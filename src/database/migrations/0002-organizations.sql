set local role rostrum_owner;

-- The organization of the running transaction. Policies call it in a sub-select, so that it is read once a query.
create function current_org() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.org_id', true), '')::uuid;

-- A UUIDv7, for rows made in bulk by a statement.
create function new_id(at timestamptz) returns uuid language sql volatile parallel safe
  return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 3)
    || '8' || substr(replace(gen_random_uuid()::text, '-', ''), 17, 15))::uuid;

create table organizations (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  mode text not null check (mode in ('live', 'test')),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  timezone text not null default 'UTC',
  created_at timestamptz not null
);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy tenant on organizations to rostrum_app
  using (id = (select current_org())) with check (id = (select current_org()));
create policy gate on organizations for select to rostrum_gate using (true);
grant select, insert, update on organizations to rostrum_app;
grant select on organizations to rostrum_gate;

create table api_keys (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  prefix text not null,
  secret_hash bytea not null unique,
  permissions text[] not null,
  created_at timestamptz not null,
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

-- Append-only: the service may add and read, never change. Ids only; `reason` is what a caller gave for a deletion.
create table audit_log (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  at timestamptz not null,
  request_id text not null,
  actor_kind text not null check (actor_kind in ('api_key', 'user', 'service')),
  actor_id text not null,
  face text not null,
  address inet,
  operation text not null,
  ids jsonb not null,
  reason text,
  primary key (org_id, id)
);
create index audit_log_newest on audit_log (org_id, at desc, id desc);
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy tenant on audit_log to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert on audit_log to rostrum_app;

-- The first answer to an idempotency key, written in the transaction that made it.
create table idempotent_answers (
  org_id uuid not null references organizations (id) on delete cascade,
  operation text not null,
  key text not null check (length(key) between 1 and 255),
  input_hash bytea not null,
  answer json not null,
  created_at timestamptz not null,
  primary key (org_id, operation, key)
);
create index idempotent_answers_oldest on idempotent_answers (created_at);
alter table idempotent_answers enable row level security;
alter table idempotent_answers force row level security;
create policy tenant on idempotent_answers to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on idempotent_answers to rostrum_relay using (true);
grant select, insert, delete on idempotent_answers to rostrum_app;
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
grant select, insert, update on rate_windows to rostrum_app;

-- A key is looked up before its organization is known, so this one question crosses organizations.
set local role rostrum_gate;
create function gate.find_api_key(wanted bytea)
returns table (org_id uuid, mode text, currency text, key_id uuid, permissions text[], expires_at timestamptz, revoked_at timestamptz,
  last_used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.org_id, o.mode, o.currency, k.id, k.permissions, k.expires_at, k.revoked_at, k.last_used_at
  from api_keys k join organizations o on o.id = k.org_id
  where k.secret_hash = wanted
$$;
revoke all on function gate.find_api_key(bytea) from public;
grant execute on function gate.find_api_key(bytea) to rostrum_app;
