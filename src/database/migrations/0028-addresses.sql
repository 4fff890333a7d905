-- squawk-ignore-file require-concurrent-index-creation
set local role rostrum_owner;

-- Where email goes to when the primary address may not be written to, or there is none: the oldest that may. Hardly
-- anybody has one, so that nothing else of a person needs to be looked at.
alter table people add column other_email text collate "C";
alter table people no force row level security;
alter table identifiers no force row level security;
update people p set other_email = i.value from (
  select distinct on (org_id, person_id) org_id, person_id, value from identifiers
  where type = 'email' and is_contact_method order by org_id, person_id, created_at, id
) i
where p.org_id = i.org_id and p.id = i.person_id and p.primary_contact_method is distinct from 'email';
alter table people force row level security;
alter table identifiers force row level security;

-- Asked by address: a bounce or a complaint may have come for somebody who had it before.
create index email_blacklist_by_email on email_blacklist (org_id, email);

-- Where phone numbers that name no country are dialed: ISO 3166, two letters.
alter table organizations add column default_country text check (default_country ~ '^[A-Z]{2}$');

-- A number is compared in E.164, in `value`; `typed` is what somebody wrote, where that differs.
alter table identifiers add column typed text check (length(typed) between 1 and 512);
-- Of numbers that were there before, those that only spaces, dots, dashes and brackets keep from it. Where one number
-- was stored in several spellings, one of them gets it, unless it is there already; the others stay as they are until
-- people are merged or the number is sent again, and are still found by what comes in and what is suppressed.
alter table identifiers no force row level security;
do $$
declare
  left_alone bigint;
begin
  with spelled as (
    select org_id, id, dialed(value) as number,
      row_number() over (partition by org_id, dialed(value) order by value = dialed(value) desc, created_at, id) as nth
    from identifiers where type = 'phone' and dialed(value) ~ '^\+[1-9][0-9]{6,14}$'
  )
  update identifiers i set typed = i.value, value = s.number from spelled s
  where i.org_id = s.org_id and i.id = s.id and s.nth = 1 and i.value <> s.number;
  select count(*) into left_alone from identifiers
  where type = 'phone' and value <> dialed(value) and dialed(value) ~ '^\+[1-9][0-9]{6,14}$';
  if left_alone > 0 then
    raise notice '% phone numbers stay as they were typed: their organization has each in another spelling, too', left_alone;
  end if;
end $$;
alter table identifiers force row level security;
