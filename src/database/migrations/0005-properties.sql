-- squawk-ignore-file prefer-bigint-over-smallint
set local role rostrum_owner;

-- Text without regard to case, as search_people folds it. ICU knows every script and takes its time; text that is all
-- ASCII, which is most, does not need it. Not strict: only so is it taken into the query that calls it.
create function fold_text(text) returns text language sql immutable parallel safe
  return case when octet_length($1) = length($1) then lower($1 collate "C") collate "C"
    else translate(lower($1 collate "und-x-icu"), 'ς', 'σ') collate "C" end;

-- A custom text as a page holds it: itself up to 500 bytes; beyond, its beginning and a hash, made longer than any
-- text that stands for itself.
create function text_key(text) returns text language sql immutable parallel safe
  return case when octet_length($1) <= 500 then $1 else rpad(left($1, 100) || md5($1), 501, '-') end collate "C";

-- slot: where its values stand in the pages below, the lowest place of its type that is free. has_long_texts: whether
-- anybody ever had a text for it that is too long for its page.
create table property_configs (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  key text not null check (key ~ '^[A-Za-z0-9_]{1,100}$'),
  name text not null check (length(name) between 1 and 200),
  description text,
  type text not null check (type in ('string', 'number', 'boolean')),
  created_at timestamptz not null,
  slot smallint not null default 0, -- until the trigger chooses
  has_long_texts boolean not null default false,
  primary key (org_id, id),
  unique (org_id, key),
  unique (org_id, type, slot)
);
alter table property_configs enable row level security;
alter table property_configs force row level security;
create policy tenant on property_configs to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on property_configs to rostrum_app;

-- A property that was deleted while many people had a value for it. Nobody finds the values any more, because they are
-- found through property_configs; the engine deletes them in parts, in the order of the people, and the row goes with
-- the last of them. Until then nobody else gets its place in the pages. run_at is by the service's clock.
create table property_removals (
  org_id uuid not null references organizations (id) on delete cascade,
  config_id uuid not null,
  type text not null check (type in ('string', 'number', 'boolean')),
  slot smallint not null,
  done_person uuid not null default '00000000-0000-0000-0000-000000000000',
  run_at timestamptz not null,
  primary key (org_id, config_id),
  unique (org_id, type, slot)
);
create index property_removals_due on property_removals (run_at);
alter table property_removals enable row level security;
alter table property_removals force row level security;
create policy tenant on property_removals to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep tells the engine again of one nothing was heard of.
create policy relay on property_removals for select to rostrum_relay using (true);
grant select, insert, update, delete on property_removals to rostrum_app;
grant select (org_id, config_id, run_at) on property_removals to rostrum_relay;

create function choose_property_slot() returns trigger language plpgsql as $$
begin
  new.slot := (
    select min(free.slot) from generate_series(0, 303) free(slot)
    where not exists (select 1 from property_configs c
        where c.org_id = new.org_id and c.type = new.type and c.slot = free.slot)
      and not exists (select 1 from property_removals r
        where r.org_id = new.org_id and r.type = new.type and r.slot = free.slot));
  return new;
end $$;
create trigger choose_property_slot before insert on property_configs
  for each row execute function choose_property_slot();

-- One column a type, so that comparisons stay leakproof and indexable. All three null: cleared, the row kept.
-- changed_by is the UUIDv7 of the change that set it: later ones are greater, and one applied late overwrites no newer.
create table property_values (
  org_id uuid not null,
  person_id uuid not null,
  config_id uuid not null,
  text_value text,
  number_value double precision,
  boolean_value boolean,
  changed_by uuid not null,
  created_at timestamptz not null,
  primary key (org_id, person_id, config_id),
  check (num_nonnulls(text_value, number_value, boolean_value) <= 1),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
create index property_values_of_config on property_values (org_id, config_id);
alter table property_values enable row level security;
alter table property_values force row level security;
create policy tenant on property_values to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on property_values to rostrum_app;

-- Half of a foreign key: a value is written only while its property is there, which stays until the transaction ends.
-- The other half, that a property stays while it has values, is what removals are for. A violation has the code of
-- the foreign key that was here, so that whoever wrote looks again. Its name comes before that of the triggers that
-- write pages: triggers go by name, and a page is never held by somebody who still waits for a property.
create function hold_property_configs() returns trigger language plpgsql as $$
begin
  perform 1 from property_configs c
  where (c.org_id, c.id) in (select v.org_id, v.config_id from changed v)
  order by c.org_id, c.id for key share;
  if exists (select 1 from changed v where not exists (
    select 1 from property_configs c where c.org_id = v.org_id and c.id = v.config_id)) then
    raise foreign_key_violation using message = 'a value for a property that is not there';
  end if;
  return null;
end $$;
create trigger hold_property_configs_inserted after insert on property_values referencing new table as changed
  for each statement execute function hold_property_configs();
create trigger hold_property_configs_updated after update on property_values referencing new table as changed
  for each statement execute function hold_property_configs();

-- A property that goes leaves no values behind, unless a removal looks after them: its place is given to another.
create function require_property_removal() returns trigger language plpgsql as $$
begin
  if exists (select 1 from property_values v where v.org_id = old.org_id and v.config_id = old.id)
    and not exists (select 1 from property_removals r where r.org_id = old.org_id and r.config_id = old.id) then
    raise foreign_key_violation using message = 'a property was deleted while it had values';
  end if;
  return null;
end $$;
create constraint trigger require_property_removal after delete on property_configs
  deferrable initially deferred for each row execute function require_property_removal();

-- Values accepted and not yet applied: what is due is a row, the engine only wakes.
create table property_changes (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  changes jsonb not null,
  requested_at timestamptz not null,
  request_id text not null,
  primary key (org_id, id),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
);
create index property_changes_of_person on property_changes (org_id, person_id);
create index property_changes_oldest on property_changes (requested_at);
alter table property_changes enable row level security;
alter table property_changes force row level security;
create policy tenant on property_changes to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy relay on property_changes for select to rostrum_relay using (true);
grant select, insert, update, delete on property_changes to rostrum_app;
grant select on property_changes to rostrum_relay;

-- A person's values side by side, for questions about everybody (ADR 18). What is true stands in property_values; this
-- repeats it in the same transaction. A page has eight numbers, sixteen booleans and eight texts, and every page is a
-- table of its own: a condition reads the page its property is on, however many properties there are on others.
create table property_pages (
  org_id uuid not null,
  person_id uuid not null,
  page smallint not null,
  n0 double precision, n1 double precision, n2 double precision, n3 double precision,
  n4 double precision, n5 double precision, n6 double precision, n7 double precision,
  b0 boolean, b1 boolean, b2 boolean, b3 boolean, b4 boolean, b5 boolean, b6 boolean, b7 boolean,
  b8 boolean, b9 boolean, b10 boolean, b11 boolean, b12 boolean, b13 boolean, b14 boolean, b15 boolean,
  t0 text collate "C", t1 text collate "C", t2 text collate "C", t3 text collate "C",
  t4 text collate "C", t5 text collate "C", t6 text collate "C", t7 text collate "C",
  primary key (org_id, person_id, page),
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade
) partition by list (page);
do $$
begin
  -- 300 properties of one type, eight to a page.
  for page in 0..37 loop
    execute format('create table property_page_%s partition of property_pages for values in (%s) with (fillfactor = 90)', page, page);
  end loop;
end $$;
alter table property_pages enable row level security;
alter table property_pages force row level security;
create policy tenant on property_pages to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on property_pages to rostrum_app;

-- The page of a slot, and the column there: 0 to 7 are n0 to n7, 8 to 23 are b0 to b15, 24 to 31 are t0 to t7.
create function property_page(type text, slot smallint) returns smallint language sql immutable parallel safe
  return (slot / case type when 'boolean' then 16 else 8 end)::smallint;
create function property_place(type text, slot smallint) returns int language sql immutable parallel safe
  return case type when 'number' then slot % 8 when 'boolean' then 8 + slot % 16 else 24 + slot % 8 end;

-- Repeats what a statement wrote to property_values or took from it. Every page is written where it stands, whatever
-- else others wrote on it meanwhile. A page that lost its last value stays: nobody can tell an empty one from none.
-- A value moves to another person only when its own is merged into that one, and is gone then with its pages.
create function repeat_property_values() returns trigger language plpgsql as $$
declare
  emptied record;
begin
  if tg_op <> 'DELETE' then
    with v as materialized ( -- so that a place is worked out once, not for each of the columns below
      select v.*, property_page(c.type, c.slot) as page, property_place(c.type, c.slot) as place
      from changed v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
    )
    insert into property_pages as p (org_id, person_id, page,
    n0, n1, n2, n3, n4, n5, n6, n7,
    b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15,
    t0, t1, t2, t3, t4, t5, t6, t7)
    select org_id, person_id, page,
    max(number_value) filter (where place = 0),
    max(number_value) filter (where place = 1),
    max(number_value) filter (where place = 2),
    max(number_value) filter (where place = 3),
    max(number_value) filter (where place = 4),
    max(number_value) filter (where place = 5),
    max(number_value) filter (where place = 6),
    max(number_value) filter (where place = 7),
    bool_or(boolean_value) filter (where place = 8),
    bool_or(boolean_value) filter (where place = 9),
    bool_or(boolean_value) filter (where place = 10),
    bool_or(boolean_value) filter (where place = 11),
    bool_or(boolean_value) filter (where place = 12),
    bool_or(boolean_value) filter (where place = 13),
    bool_or(boolean_value) filter (where place = 14),
    bool_or(boolean_value) filter (where place = 15),
    bool_or(boolean_value) filter (where place = 16),
    bool_or(boolean_value) filter (where place = 17),
    bool_or(boolean_value) filter (where place = 18),
    bool_or(boolean_value) filter (where place = 19),
    bool_or(boolean_value) filter (where place = 20),
    bool_or(boolean_value) filter (where place = 21),
    bool_or(boolean_value) filter (where place = 22),
    bool_or(boolean_value) filter (where place = 23),
    max(text_key(text_value)) filter (where place = 24),
    max(text_key(text_value)) filter (where place = 25),
    max(text_key(text_value)) filter (where place = 26),
    max(text_key(text_value)) filter (where place = 27),
    max(text_key(text_value)) filter (where place = 28),
    max(text_key(text_value)) filter (where place = 29),
    max(text_key(text_value)) filter (where place = 30),
    max(text_key(text_value)) filter (where place = 31)
    from v group by org_id, person_id, page order by org_id, person_id, page -- all lock in one order
    on conflict (org_id, person_id, page) do update set
    n0 = coalesce(excluded.n0, p.n0), n1 = coalesce(excluded.n1, p.n1), n2 = coalesce(excluded.n2, p.n2),
    n3 = coalesce(excluded.n3, p.n3), n4 = coalesce(excluded.n4, p.n4), n5 = coalesce(excluded.n5, p.n5),
    n6 = coalesce(excluded.n6, p.n6), n7 = coalesce(excluded.n7, p.n7), b0 = coalesce(excluded.b0, p.b0),
    b1 = coalesce(excluded.b1, p.b1), b2 = coalesce(excluded.b2, p.b2), b3 = coalesce(excluded.b3, p.b3),
    b4 = coalesce(excluded.b4, p.b4), b5 = coalesce(excluded.b5, p.b5), b6 = coalesce(excluded.b6, p.b6),
    b7 = coalesce(excluded.b7, p.b7), b8 = coalesce(excluded.b8, p.b8), b9 = coalesce(excluded.b9, p.b9),
    b10 = coalesce(excluded.b10, p.b10), b11 = coalesce(excluded.b11, p.b11), b12 = coalesce(excluded.b12, p.b12),
    b13 = coalesce(excluded.b13, p.b13), b14 = coalesce(excluded.b14, p.b14), b15 = coalesce(excluded.b15, p.b15),
    t0 = coalesce(excluded.t0, p.t0), t1 = coalesce(excluded.t1, p.t1), t2 = coalesce(excluded.t2, p.t2),
    t3 = coalesce(excluded.t3, p.t3), t4 = coalesce(excluded.t4, p.t4), t5 = coalesce(excluded.t5, p.t5),
    t6 = coalesce(excluded.t6, p.t6), t7 = coalesce(excluded.t7, p.t7);
    update property_configs c set has_long_texts = true
    where not c.has_long_texts and (c.org_id, c.id) in (
      select v.org_id, v.config_id from changed v where octet_length(v.text_value) > 500);
  end if;
  for emptied in
    select c.org_id, property_page(c.type, c.slot) as page, property_place(c.type, c.slot) as place,
      array_agg(v.person_id) as people
    from changed v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
    where case when tg_op = 'DELETE'
      -- Whoever is deleted whole takes the pages along.
      then exists (select 1 from people p where p.org_id = v.org_id and p.id = v.person_id)
      else num_nonnulls(v.text_value, v.number_value, v.boolean_value) = 0 end
    group by c.org_id, c.id
  loop
    execute format('update property_pages p set %s = null
      where p.org_id = $1 and p.page = %s and p.person_id = any($2)',
      case when emptied.place < 8 then 'n' || emptied.place when emptied.place < 24 then 'b' || emptied.place - 8
        else 't' || emptied.place - 24 end, emptied.page)
      using emptied.org_id, emptied.people;
  end loop;
  return null;
end $$;
create trigger property_values_inserted after insert on property_values referencing new table as changed
  for each statement execute function repeat_property_values();
create trigger property_values_updated after update on property_values referencing new table as changed
  for each statement execute function repeat_property_values();
create trigger property_values_deleted after delete on property_values referencing old table as changed
  for each statement execute function repeat_property_values();
