set local role rostrum_owner;

-- People who sign in. They belong to no organization, and rostrum_auth alone can enter this schema: the application role
-- of organizations reads nothing of them, and rostrum_auth reads nothing of organizations.
create schema auth;
grant usage on schema auth to rostrum_auth;

-- An account comes to be when somebody uses a link that was sent to its address, or when the operator's identity provider
-- vouches for it, so every address here is proven.
create table auth.users (
  id uuid primary key,
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  -- None, if the account was made by an identity provider and its user chose none yet.
  password text,
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

-- Links: to make the account of an address, to choose a new password, or to sign in. Using one deletes it.
create table auth.links (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('sign_up', 'password', 'sign_in')),
  email text not null,
  user_id uuid references auth.users (id) on delete cascade,
  ends_at timestamptz not null,
  check ((purpose = 'sign_up') = (user_id is null))
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

-- Passkeys: the public half of a key that an authenticator keeps. Whoever has one needs neither password nor code.
create table auth.passkeys (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null,
  -- How often the authenticator says that it signed; always 0 if it does not count.
  counter bigint not null,
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_of_user on auth.passkeys (user_id);
alter table auth.passkeys enable row level security;
alter table auth.passkeys force row level security;
create policy auth on auth.passkeys to rostrum_auth using (true) with check (true);
grant select, insert, delete, update (counter, name, used_at) on auth.passkeys to rostrum_auth;

-- Who a user is at an identity provider. The provider's subject decides, never an address.
create table auth.identities (
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index identities_of_user on auth.identities (user_id);
alter table auth.identities enable row level security;
alter table auth.identities force row level security;
create policy auth on auth.identities to rostrum_auth using (true) with check (true);
grant select, insert, delete on auth.identities to rostrum_auth;

-- What authenticators have signed already: a challenge is good once. Those that nobody signed leave no row.
create table auth.used_challenges (
  challenge_hash bytea primary key,
  ends_at timestamptz not null
);
create index used_challenges_by_end on auth.used_challenges (ends_at);
alter table auth.used_challenges enable row level security;
alter table auth.used_challenges force row level security;
create policy auth on auth.used_challenges to rostrum_auth using (true) with check (true);
grant select, insert, delete, update (ends_at) on auth.used_challenges to rostrum_auth;

-- While nobody has an account: the code, sealed, by which the first is made. One row, so that all processes say the same.
create table auth.setup (
  one boolean primary key default true check (one),
  code bytea not null
);
alter table auth.setup enable row level security;
alter table auth.setup force row level security;
create policy auth on auth.setup to rostrum_auth using (true) with check (true);
-- A column that may be updated is what locking rows takes.
grant select, insert, delete, update (code) on auth.setup to rostrum_auth;

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
create index audit_log_by_time on auth.audit_log (at);
alter table auth.audit_log enable row level security;
alter table auth.audit_log force row level security;
create policy auth on auth.audit_log to rostrum_auth using (true) with check (true);
grant select, insert on auth.audit_log to rostrum_auth;

-- What tidying calls, part by part until none is left: rows of months past what is kept. Answers how many went.
create policy months on auth.audit_log to rostrum_owner using (true);
create function forget_account_acts(keep bigint, most bigint) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  gone bigint;
  first timestamptz := (date_trunc('month', now() at time zone 'UTC') - keep * interval '1 month') at time zone 'UTC';
begin
  if keep < 1 then raise exception 'the acts of accounts are kept for a month at least'; end if;
  delete from auth.audit_log where id = any(array(
    select id from auth.audit_log where at < first order by at limit most for update skip locked));
  get diagnostics gone = row_count;
  return gone;
end $$;
revoke all on function forget_account_acts(bigint, bigint) from public;
grant execute on function forget_account_acts(bigint, bigint) to rostrum_relay;
