set local role rostrum_owner;

-- Tables that grow with time are partitioned by month, by the range of their ids (ADR 54). An id says its month: a
-- UUIDv7 by its milliseconds, a number by what stands above its lower 40 bits, which leaves it a safe integer in
-- JavaScript until the year 2682. These are the lowest of a month.
create function first_uuid_of_month(at timestamptz) returns uuid language sql immutable strict parallel safe
  return (lpad(to_hex((extract(epoch from date_trunc('month', at at time zone 'UTC')) * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid;
create function first_number_of_month(at timestamptz) returns bigint language sql immutable strict parallel safe
  return ((extract(year from at at time zone 'UTC') - 2000) * 12 + extract(month from at at time zone 'UTC') - 1)::bigint << 40;

-- Makes the partition of a month, like the default one: with its indexes, storage and checks, without a right for
-- anybody and without a policy, so that rows are reached through the whole table alone. Rows of that month that came
-- before it, from a test organization whose clock runs ahead, are brought along. Attached rather than created in place,
-- which would keep everybody from reading the table. Answers whether it was missing.
create function make_month(of_table text, at timestamptz) returns boolean language plpgsql
  set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  month timestamptz := date_trunc('month', at at time zone 'UTC') at time zone 'UTC';
  next timestamptz := (date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC';
  part text := of_table || to_char(month at time zone 'UTC', '_YYYY_MM');
  rest text := of_table || '_default';
  storage text := (select ' with (' || array_to_string(reloptions, ', ') || ')' from pg_class where oid = rest::regclass);
  columns text := (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = rest::regclass and attnum > 0 and not attisdropped and attgenerated = '');
  lowest text; highest text;
begin
  if to_regclass(part) is not null then return false; end if;
  perform pg_advisory_xact_lock(7402116);
  if to_regclass(part) is not null then return false; end if;
  if (select atttypid from pg_attribute where attrelid = rest::regclass and attname = 'id') = 'uuid'::regtype then
    lowest := first_uuid_of_month(month); highest := first_uuid_of_month(next);
  else
    lowest := first_number_of_month(month); highest := first_number_of_month(next);
  end if;
  execute format('create table %I (like %I including all)%s', part, rest, storage);
  execute format('alter table %I no force row level security', rest);
  execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I (%s) select %s from moved',
    rest, lowest, highest, part, columns, columns);
  execute format('alter table %I force row level security', rest);
  execute format('alter table %I enable row level security, force row level security', part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, part, lowest, highest);
  return true;
end $$;
revoke all on function make_month(text, timestamptz) from public;

create function monthly_tables() returns setof text language sql stable set search_path = public, pg_temp as $$
  select relname::text from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
  where p.partstrat = 'r' and c.relnamespace = 'public'::regnamespace order by 1
$$;
revoke all on function monthly_tables() from public;

-- What the sweep calls, and all it can do to tables: this month and the next three are there. Answers how many were not.
create function make_months() returns bigint language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  made bigint := 0;
  missing record;
begin
  for missing in
    select t.name, m.month from monthly_tables() t(name), lateral (
      select (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month') at time zone 'UTC' as month
      from generate_series(0, 3) n) m
  loop
    made := made + make_month(missing.name, missing.month)::int;
  end loop;
  return made;
end $$;
revoke all on function make_months() from public;
grant execute on function make_months() to rostrum_relay;

-- Nobody analyzes a partitioned table by itself, only its parts: one that was not for a day is, one a call.
create function analyze_months() returns bigint language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  stale text := (
    select t.name from monthly_tables() t(name)
    where coalesce(pg_stat_get_last_analyze_time(t.name::regclass), '-infinity') < now() - interval '1 day' limit 1);
begin
  if stale is null then return 0; end if;
  execute format('analyze %I', stale);
  return 1;
end $$;
revoke all on function analyze_months() from public;
grant execute on function analyze_months() to rostrum_relay;

-- By hand, by the owner alone: a month goes with all its rows, and the names that callers gave its events with them, which
-- may take a while. Totals were counted and stay. It waits two seconds
-- for whoever is reading, as others wait behind it, and is then tried again by whoever called.
create function drop_month(of_table text, at timestamptz) returns boolean language plpgsql
  set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  part text := of_table || to_char(at at time zone 'UTC', '_YYYY_MM');
  next timestamptz := (date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC';
begin
  if to_regclass(part) is null then return false; end if;
  if of_table = 'deliveries'
    and exists (select 1 from delivery_queue where id >> 40 = first_number_of_month(at) >> 40) then
    raise exception '% holds messages that are still to go out', part;
  end if;
  if of_table = 'events' then
    delete from named_events where id >= first_uuid_of_month(at) and id < first_uuid_of_month(next);
  end if;
  execute format('drop table %I', part);
  return true;
end $$;
revoke all on function drop_month(text, timestamptz) from public;

-- What retention calls, one month of one table a time, the oldest first: a month goes once so many whole months came
-- after it, or is detached and left to the operator. One with messages that are still to go out stays. The names of its
-- events are many, and go afterwards in parts, so that nobody waits for them (forget_event_names). Answers its name.
create function expire_month(of_table text, keep bigint, detach boolean) returns text language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  first timestamptz := (date_trunc('month', now() at time zone 'UTC') - keep * interval '1 month') at time zone 'UTC';
  part text;
  month timestamptz;
begin
  if keep < 1 or of_table not in (select monthly_tables()) then
    raise exception '% is not kept by month, or for less than one', of_table;
  end if;
  part := (
    select min(c.relname::text) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = of_table::regclass and c.relname::text ~ '_[0-9]{4}_[0-9]{2}$'
      and c.relname::text < of_table || to_char(first at time zone 'UTC', '_YYYY_MM'));
  if part is null then return null; end if;
  month := to_timestamp(right(part, 7), 'YYYY_MM')::timestamp at time zone 'UTC';
  if of_table = 'deliveries' and exists (
    select 1 from delivery_queue where id >> 40 = first_number_of_month(month) >> 40) then
    return null;
  end if;
  if detach then execute format('alter table %I detach partition %I', of_table, part);
  else execute format('drop table %I', part); end if;
  return part;
end $$;
revoke all on function expire_month(text, bigint, boolean) from public;
grant execute on function expire_month(text, bigint, boolean) to rostrum_relay;
