-- Roles belong to the whole cluster, so they are made only where they are missing. This file alone runs as the
-- login that migrates; every later one begins by becoming rostrum_owner.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['rostrum_owner', 'rostrum_app', 'rostrum_relay', 'rostrum_gate', 'rostrum_auth',
    'rostrum_door'] loop
    begin
      execute format('create role %I nologin nosuperuser nobypassrls', wanted);
    exception when duplicate_object or unique_violation then
      null;
    end;
    -- Also for whoever just made the role: since PostgreSQL 16 that alone does not allow becoming it.
    execute format('grant %I to %I', wanted, current_user);
  end loop;
end
$$;

-- rostrum_owner owns the tables, rostrum_app is the service within one organization, rostrum_relay moves outbox rows,
-- rostrum_gate owns the few functions that must look across organizations, rostrum_auth is the service where people sign
-- in, rostrum_door owns the function that tells whose session a token is.
do $$ begin execute format('grant create on database %I to rostrum_owner', current_database()); end $$;
grant usage, create on schema public to rostrum_owner;
grant usage on schema public to rostrum_app, rostrum_relay, rostrum_gate;
create schema gate authorization rostrum_gate;
grant usage on schema gate to rostrum_app, rostrum_relay;
