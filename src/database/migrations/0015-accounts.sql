set local role rostrum_owner;

-- People who sign in. They belong to no organization, and rostrum_auth alone can enter this schema: the application role
-- of organizations reads nothing of them, and rostrum_auth reads nothing of organizations.
create schema auth;
grant usage on schema auth to rostrum_auth;

-- An account comes to be when somebody uses a link that was sent to its address, so every address here is proven.
create table auth.users (
  id uuid primary key,
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  password text not null,
  -- Sealed. The second step is asked for once totp_since is set; until then the secret is only being shown.
  totp_secret bytea,
  totp_since timestamptz,
  -- The last period a code was taken of: a code is good once.
  totp_step bigint not null default 0,
  created_at timestamptz not null,
  check (totp_since is null or totp_secret is not null)
);
alter table auth.users enable row level security;
alter table auth.users force row level security;
create policy auth on auth.users to rostrum_auth using (true) with check (true);
grant select, insert, update, delete on auth.users to rostrum_auth;

-- Of a session's token only its hash is kept. A session that awaits a code lets nobody in yet.
create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  token_hash bytea not null unique,
  awaits_code boolean not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  ends_at timestamptz not null,
  agent text not null check (length(agent) <= 300),
  address text not null
);
create index sessions_of_user on auth.sessions (user_id);
create index sessions_by_end on auth.sessions (ends_at);
alter table auth.sessions enable row level security;
alter table auth.sessions force row level security;
create policy auth on auth.sessions to rostrum_auth using (true) with check (true);
grant select, insert, update, delete on auth.sessions to rostrum_auth;

-- Links in mail: to make the account of an address, or to choose a new password. Using one deletes it.
create table auth.links (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('sign_up', 'password')),
  email text not null,
  user_id uuid references auth.users (id) on delete cascade,
  ends_at timestamptz not null,
  check ((purpose = 'password') = (user_id is not null))
);
create index links_of_user on auth.links (user_id);
create index links_of_email on auth.links (email);
create index links_by_end on auth.links (ends_at);
alter table auth.links enable row level security;
alter table auth.links force row level security;
create policy auth on auth.links to rostrum_auth using (true) with check (true);
-- A column that may be updated is what locking rows takes.
grant select, insert, delete, update (ends_at) on auth.links to rostrum_auth;

-- Codes for whoever lost the device of the second step. Using one deletes it.
create table auth.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
alter table auth.recovery_codes enable row level security;
alter table auth.recovery_codes force row level security;
create policy auth on auth.recovery_codes to rostrum_auth using (true) with check (true);
grant select, insert, delete on auth.recovery_codes to rostrum_auth;

-- How often something was tried, by a keyed hash of what: addresses that have no account are counted like those that have.
create table auth.attempts (
  key bytea primary key,
  count bigint not null,
  ends_at timestamptz not null
);
create index attempts_by_end on auth.attempts (ends_at);
alter table auth.attempts enable row level security;
alter table auth.attempts force row level security;
create policy auth on auth.attempts to rostrum_auth using (true) with check (true);
grant select, insert, update, delete on auth.attempts to rostrum_auth;

-- What became of accounts, and from where. It can be added to, never changed.
create table auth.audit_log (
  id uuid primary key,
  at timestamptz not null,
  user_id uuid not null,
  act text not null,
  session_id uuid,
  address text
);
create index audit_log_of_user on auth.audit_log (user_id, id desc);
alter table auth.audit_log enable row level security;
alter table auth.audit_log force row level security;
create policy auth on auth.audit_log to rostrum_auth using (true) with check (true);
grant select, insert on auth.audit_log to rostrum_auth;
