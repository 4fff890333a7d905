set local role rostrum_owner;

create table identifiers (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  type text not null check (type in ('email', 'phone', 'user_id', 'org_assigned_user_id', 'payment_customer_id',
    'anonymous_id', 'chat', 'chat_user_id', 'chat_channel', 'messenger', 'full_name')),
  value text not null check (length(value) between 1 and 512),
  is_contact_method boolean not null default false,
  is_primary_for_type boolean not null default false,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
-- A name or a channel may be shared; every other value has one holder in its organization.
create unique index identifiers_one_holder on identifiers (org_id, type, value)
  where type not in ('full_name', 'chat_channel');
create unique index identifiers_of_person on identifiers (org_id, person_id, type, value);
create unique index identifiers_one_primary on identifiers (org_id, person_id, type) where is_primary_for_type;
create index identifiers_search on identifiers using gin (org_id, value gin_trgm_ops);
alter table identifiers enable row level security;
alter table identifiers force row level security;
create policy tenant on identifiers to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy gate on identifiers for select to rostrum_gate using (true);
grant select, insert, update, delete on identifiers to rostrum_app;
grant select on identifiers to rostrum_gate;

-- ILIKE may not go below row level security into an index, so the search runs as a role that sees every row and is
-- bound here to the organization of the transaction. A pattern that is common is answered from the first rows met;
-- only a rarer one pays for the trigram index, whose cost grows with the matches.
set local role rostrum_gate;
create function gate.search_people(pattern text, most int) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  org uuid := public.current_org();
  found uuid[];
begin
  select array_agg(distinct near.person_id) into found from (
    select s.person_id from (
      select i.person_id, i.value from identifiers i where i.org_id = org order by i.org_id, i.person_id limit 4000
    ) s where s.value ilike pattern limit most * 12
  ) near;
  if coalesce(cardinality(found), 0) < most then
    select array_agg(m.person_id) into found from (
      select distinct far.person_id from (
        select i.person_id from identifiers i where i.org_id = org and i.value ilike pattern limit most * 12
      ) far limit most
    ) m;
  end if;
  return query select unnest(found) limit most;
end $$;
revoke all on function gate.search_people(text, int) from public;
grant execute on function gate.search_people(text, int) to rostrum_app;
