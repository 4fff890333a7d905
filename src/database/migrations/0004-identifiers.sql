set local role rostrum_owner;

create table identifiers (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  type text not null check (type in ('email', 'phone', 'user_id', 'org_assigned_user_id', 'payment_customer_id',
    'anonymous_id', 'chat', 'chat_user_id', 'chat_channel', 'messenger', 'full_name')),
  value text not null check (length(value) between 1 and 512),
  -- For search alone: folded once when written, a byte-wise LIKE reads it ten times faster than ILIKE reads the value.
  -- A capital sigma becomes another small one at the end of a word than within it; folding knows only one of the two.
  folded text collate "C" not null generated always as (translate(lower(value collate "und-x-icu"), 'ς', 'σ')) stored,
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
create index identifiers_search on identifiers using gin (org_id, folded gin_trgm_ops);
alter table identifiers enable row level security;
alter table identifiers force row level security;
create policy tenant on identifiers to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy gate on identifiers for select to rostrum_gate using (true);
grant select, insert, update, delete on identifiers to rostrum_app;
grant select on identifiers to rostrum_gate;

-- LIKE may not go below row level security into an index, so the search runs as a role that sees every row and is
-- bound here to the organization of the transaction. A pattern that is common is answered from the first rows met;
-- only a rarer one pays for the trigram index, whose cost grows with the matches.
set local role rostrum_gate;
create function gate.search_people(wanted text, most int) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  org uuid := public.current_org();
  pattern text := translate(lower(wanted collate "und-x-icu"), 'ς', 'σ');
  found uuid[] := '{}';
  candidate uuid;
begin
  for candidate in
    select s.person_id from (
      select i.person_id, i.folded from identifiers i where i.org_id = org order by i.org_id, i.person_id limit 4000
    ) s where s.folded like pattern
  loop
    if candidate <> all (found) then found := found || candidate; end if;
    exit when cardinality(found) = most;
  end loop;
  if cardinality(found) < most then
    for candidate in
      select i.person_id from identifiers i where i.org_id = org and i.folded like pattern
    loop
      if candidate <> all (found) then found := found || candidate; end if;
      exit when cardinality(found) = most;
    end loop;
  end if;
  return query select unnest(found);
end $$;
revoke all on function gate.search_people(text, int) from public;
grant execute on function gate.search_people(text, int) to rostrum_app;
