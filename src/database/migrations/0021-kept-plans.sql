set local role rostrum_gate;

-- Every call of a face begins with one of these questions. A function in SQL is planned anew each time it is asked,
-- one in PL/pgSQL once a connection: 0.03 ms instead of 0.2.
create or replace function gate.find_api_key(wanted bytea)
returns table (org_id uuid, mode text, currency text, state text, state_reason text, key_id uuid, permissions text[],
  expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
  select k.org_id, o.mode, o.currency, o.state, o.state_reason, k.id, k.permissions, k.expires_at, k.revoked_at,
    k.last_used_at
  from api_keys k join organizations o on o.id = k.org_id
  where k.secret_hash = wanted and o.state <> 'deleting';
end
$$;

create or replace function gate.find_connection(wanted bytea)
returns table (org_id uuid, mode text, currency text, state text, state_reason text, connection_id uuid,
  family_id uuid, user_id uuid, role text, permissions text[], ends_at timestamptz, last_used_at timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp as $$
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
$$;

create or replace function gate.organizations_of(wanted uuid)
returns table (org_id uuid, name text, mode text, currency text, state text, state_reason text, role text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
  select o.id, o.name, o.mode, o.currency, o.state, o.state_reason, m.role
  from members m join organizations o on o.id = m.org_id
  where m.id = wanted and o.state <> 'deleting'
  order by o.id;
end
$$;

create or replace function gate.find_registration_page(wanted text) returns table (org_id uuid, webinar_id uuid)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
  select p.org_id, p.webinar_id
  from registration_pages p join organizations o on o.id = p.org_id
  where p.slug = wanted and o.state <> 'deleting';
end
$$;

grant create on schema gate to rostrum_door;
set local role rostrum_door;
create or replace function gate.find_session(wanted bytea)
returns table (session_id uuid, user_id uuid, email text, awaits_code boolean, used_at timestamptz,
  ends_at timestamptz)
language plpgsql stable security definer set search_path = auth, pg_temp as $$
begin
  return query
  select s.id, s.user_id, u.email, s.awaits_code, s.used_at, s.ends_at
  from auth.sessions s join auth.users u on u.id = s.user_id
  where s.token_hash = wanted;
end
$$;
set local role rostrum_gate;
revoke create on schema gate from rostrum_door;
