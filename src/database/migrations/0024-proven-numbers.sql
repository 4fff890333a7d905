set local role rostrum_owner;

-- A number for texts is used once somebody who was told a code has sent it to the number: then it is the organization's,
-- and nobody else's. Test organizations, which write to hardly anybody, need no proof and have no claim.
alter table sms_numbers add column proven_at timestamptz;
-- squawk-ignore require-concurrent-index-creation
create unique index sms_numbers_proven on sms_numbers (number) where proven_at is not null;
grant select (proven_at) on sms_numbers to rostrum_relay;
create policy gate on sms_numbers for select to rostrum_gate using (true);
grant select on sms_numbers to rostrum_gate;

-- Whether another organization has proven that a number is its own: no more is told of it.
set local role rostrum_gate;
create function gate.number_is_taken(wanted text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from sms_numbers where number = wanted and proven_at is not null and org_id <> public.current_org())
$$;
revoke all on function gate.number_is_taken(text) from public;
grant execute on function gate.number_is_taken(text) to rostrum_app;
