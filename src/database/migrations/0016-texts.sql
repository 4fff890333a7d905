set local role rostrum_owner;

-- A text that comes in names two numbers and no organization: the relay finds whose number it was sent to. A receipt
-- over SMPP names a message by the provider's name alone: the relay finds the row. Neither lets it see more.
-- squawk-ignore require-concurrent-index-creation
create index sms_numbers_by_number on sms_numbers (number);
create policy relay on sms_numbers for select to rostrum_relay using (true);
grant select (org_id, number) on sms_numbers to rostrum_relay;

-- squawk-ignore require-concurrent-index-creation
create index deliveries_by_receipt on deliveries (receipt) where receipt is not null;
create policy relay on deliveries for select to rostrum_relay using (true);
grant select (org_id, id, receipt) on deliveries to rostrum_relay;

-- A phone number as a network writes it, however somebody typed it.
create function dialed(phone text) returns text language sql immutable strict parallel safe as
  $$ select regexp_replace(phone, '[ ().-]', '', 'g') $$;
-- squawk-ignore require-concurrent-index-creation
create index identifiers_by_number on identifiers (org_id, dialed(value)) where type = 'phone';

-- Who has a number, in the organization of the transaction. A function over a column may not go below row level security
-- into an index, so this runs as the role that sees every row, as the search does.
set local role rostrum_gate;
create function gate.people_with_number(wanted text) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct i.person_id from identifiers i
  where i.org_id = public.current_org() and i.type = 'phone' and public.dialed(i.value) = wanted
  order by 1
$$;
revoke all on function gate.people_with_number(text) from public;
grant execute on function gate.people_with_number(text) to rostrum_app;
