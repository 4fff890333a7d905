set local role rostrum_owner;

-- Users who may act in an organization. id is the user's, of the schema auth, which no role of organizations can read:
-- the address is a copy, of when the user became a member.
create table members (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'sender', 'viewer')),
  since timestamptz not null,
  primary key (org_id, id)
);
create index members_of_user on members (id);
alter table members enable row level security;
alter table members force row level security;
create policy tenant on members to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy gate on members for select to rostrum_gate using (true);
grant select, insert, delete, update (role) on members to rostrum_app;
grant select on members to rostrum_gate;

-- One for an address at most; another one to the same address takes its place. Once it is accepted or taken back its
-- time is over, and the row stays some days so that nobody is sent mail over and over.
create table invitations (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'sender', 'viewer')),
  token_hash bytea not null unique,
  invited_by uuid not null,
  sent_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, email)
);
create index invitations_of_email on invitations (email);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy tenant on invitations to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy gate on invitations for select to rostrum_gate using (true);
grant select, insert, update, delete on invitations to rostrum_app;
grant select on invitations to rostrum_gate;

-- A user comes before it is known in which organization, so these questions cross organizations.
set local role rostrum_gate;
create function gate.organizations_of(wanted uuid)
returns table (org_id uuid, name text, mode text, currency text, state text, state_reason text, role text)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, o.name, o.mode, o.currency, o.state, o.state_reason, m.role
  from members m join organizations o on o.id = m.org_id
  where m.id = wanted and o.state <> 'deleting'
  order by o.id
$$;
create function gate.invitations_to(wanted text, at timestamptz)
returns table (org_id uuid, name text, mode text, id uuid, role text, token_hash bytea)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, o.name, o.mode, i.id, i.role, i.token_hash
  from invitations i join organizations o on o.id = i.org_id
  where i.email = wanted and i.ends_at > at and o.state <> 'deleting'
  order by o.id
$$;
create function gate.find_invitation(wanted bytea, at timestamptz)
returns table (org_id uuid, name text, mode text, id uuid, role text, email text)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, o.name, o.mode, i.id, i.role, i.email
  from invitations i join organizations o on o.id = i.org_id
  where i.token_hash = wanted and i.ends_at > at and o.state <> 'deleting'
$$;
revoke all on function gate.organizations_of(uuid), gate.invitations_to(text, timestamptz),
  gate.find_invitation(bytea, timestamptz) from public;
grant execute on function gate.organizations_of(uuid), gate.invitations_to(text, timestamptz),
  gate.find_invitation(bytea, timestamptz) to rostrum_app;
grant usage, create on schema gate to rostrum_door;

-- Whose a session is. The owner of this function reads these columns and nothing else.
set local role rostrum_owner;
grant usage on schema auth to rostrum_door;
create policy door on auth.sessions for select to rostrum_door using (true);
create policy door on auth.users for select to rostrum_door using (true);
grant select (id, user_id, token_hash, awaits_code, used_at, ends_at) on auth.sessions to rostrum_door;
grant select (id, email) on auth.users to rostrum_door;
set local role rostrum_door;
create function gate.find_session(wanted bytea)
returns table (session_id uuid, user_id uuid, email text, awaits_code boolean, used_at timestamptz, ends_at timestamptz)
language sql stable security definer set search_path = auth, pg_temp as $$
  select s.id, s.user_id, u.email, s.awaits_code, s.used_at, s.ends_at
  from auth.sessions s join auth.users u on u.id = s.user_id
  where s.token_hash = wanted
$$;
revoke all on function gate.find_session(bytea) from public;
grant execute on function gate.find_session(bytea) to rostrum_app;
set local role rostrum_gate;
revoke create on schema gate from rostrum_door;
