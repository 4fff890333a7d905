set local role rostrum_owner;

-- The page at which people register for a webinar themselves. fields: what it asks, in order. consent_text: what whoever
-- registers agrees to; nothing if the page asks for no consent. frame_origins: the sites that may show it in a frame.
-- revision counts the changes.
create table registration_pages (
  org_id uuid not null,
  webinar_id uuid not null,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 80),
  published boolean not null,
  description text not null check (length(description) <= 4000),
  fields jsonb not null check (jsonb_typeof(fields) = 'array' and octet_length(fields::text) <= 16000),
  consent_text text check (length(consent_text) between 1 and 2000),
  frame_origins text[] not null check (cardinality(frame_origins) <= 10),
  revision bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, webinar_id),
  foreign key (org_id, webinar_id) references webinars (org_id, id) on delete cascade
);
-- One address leads to one page, whosever it is.
create unique index registration_pages_by_slug on registration_pages (slug);
alter table registration_pages enable row level security;
alter table registration_pages force row level security;
create policy tenant on registration_pages to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
create policy gate on registration_pages for select to rostrum_gate using (true);
grant select, insert, update, delete on registration_pages to rostrum_app;
grant select on registration_pages to rostrum_gate;

-- A visitor brings an address alone, so whose page it is crosses organizations, as the question whose key it is.
set local role rostrum_gate;
create function gate.find_registration_page(wanted text) returns table (org_id uuid, webinar_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.org_id, p.webinar_id
  from registration_pages p join organizations o on o.id = p.org_id
  where p.slug = wanted and o.state <> 'deleting'
$$;
revoke all on function gate.find_registration_page(text) from public;
grant execute on function gate.find_registration_page(text) to rostrum_app;
