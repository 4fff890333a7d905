set local role rostrum_owner;

-- Programs that registered themselves to ask users for a connection (RFC 7591). They belong to no organization; what they
-- say of themselves nobody checked. One that nobody let in goes after a day.
create table auth.clients (
  id uuid primary key,
  name text check (length(name) between 1 and 100),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  created_at timestamptz not null,
  ends_at timestamptz not null
);
create index clients_by_end on auth.clients (ends_at);
alter table auth.clients enable row level security;
alter table auth.clients force row level security;
create policy auth on auth.clients to rostrum_auth using (true) with check (true);
grant select, insert, delete, update (ends_at) on auth.clients to rostrum_auth;

-- What a member lets a program do for them (ADR 83). It goes with the member, so that whoever comes back is asked again.
-- client_id: one of auth.clients, or the address of the document that the program describes itself in.
create table connections (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  client_id text not null check (length(client_id) <= 500),
  client_name text check (length(client_name) between 1 and 100),
  client_host text,
  redirect_host text not null,
  permissions text[] not null check (cardinality(permissions) > 0),
  created_at timestamptz not null,
  granted_at timestamptz not null,
  ends_at timestamptz not null,
  last_used_at timestamptz,
  primary key (org_id, id),
  unique (org_id, user_id, client_id),
  foreign key (org_id, user_id) references members (org_id, id) on delete cascade
);
alter table connections enable row level security;
alter table connections force row level security;
create policy tenant on connections to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy gate on connections for select to rostrum_gate using (true);
grant select, insert, update, delete on connections to rostrum_app;
grant select on connections to rostrum_gate;

-- All tokens that came of one code, by their hashes. Of those for new tokens the current and the last one are known; any
-- other that names this family was used before, and ends it.
create table connection_families (
  org_id uuid not null,
  id uuid not null,
  tool_connection_id uuid not null,
  code_hash bytea not null,
  challenge text not null,
  redirect_uri text not null,
  code_ends_at timestamptz not null,
  access_hash bytea unique,
  access_ends_at timestamptz,
  refresh_hash bytea,
  last_refresh_hash bytea,
  refreshed_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, tool_connection_id) references connections (org_id, id) on delete cascade,
  check ((access_hash is null) = (refresh_hash is null)),
  check ((access_hash is null) = (access_ends_at is null)),
  check ((access_hash is null) = (refreshed_at is null))
);
create index connection_families_of_connection on connection_families (org_id, tool_connection_id);
alter table connection_families enable row level security;
alter table connection_families force row level security;
create policy tenant on connection_families to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy gate on connection_families for select to rostrum_gate using (true);
grant select, insert, update, delete on connection_families to rostrum_app;
grant select on connection_families to rostrum_gate;

-- A token is looked up before its organization is known, as a key is. What the user is there now comes along.
set local role rostrum_gate;
create function gate.find_connection(wanted bytea)
returns table (org_id uuid, mode text, currency text, state text, state_reason text, connection_id uuid, family_id uuid,
  user_id uuid, role text, permissions text[], ends_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id, o.mode, o.currency, o.state, o.state_reason, c.id, f.id, c.user_id, m.role, c.permissions,
    least(f.access_ends_at, c.ends_at), c.last_used_at
  from connection_families f
    join connections c on c.org_id = f.org_id and c.id = f.tool_connection_id
    join members m on m.org_id = c.org_id and m.id = c.user_id
    join organizations o on o.id = c.org_id
  where f.access_hash = wanted and o.state <> 'deleting'
$$;
revoke all on function gate.find_connection(bytea) from public;
grant execute on function gate.find_connection(bytea) to rostrum_app;
