set local role rostrum_owner;

-- A domain an organization sends from, in lower case ASCII. The private key is sealed by the service, for this row alone.
-- records is what the last check found, by purpose; lost_at is when the domain was last found to be no longer right.
create table sending_domains (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  domain text not null check (domain ~ '^[a-z0-9.-]{3,200}$'),
  ownership_token text not null,
  dkim_selector text not null,
  dkim_public_key text not null,
  dkim_private_key bytea not null,
  records jsonb not null default '{}',
  verified_at timestamptz,
  lost_at timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, domain)
);
create index sending_domains_by_created_at on sending_domains (org_id, created_at, id);
create index sending_domains_next_check on sending_domains (next_check_at);
alter table sending_domains enable row level security;
alter table sending_domains force row level security;
create policy tenant on sending_domains to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- The sweep asks which checks are due, in every organization, and may see nothing else of a domain.
create policy relay on sending_domains for select to rostrum_relay using (true);
grant select, insert, update, delete on sending_domains to rostrum_app;
grant select (org_id, id, next_check_at) on sending_domains to rostrum_relay;

create table senders (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  email text not null,
  reply_to text,
  domain_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, email),
  foreign key (org_id, domain_id) references sending_domains (org_id, id) on delete restrict
);
create index senders_by_created_at on senders (org_id, created_at, id);
create index senders_of_domain on senders (org_id, domain_id);
alter table senders enable row level security;
alter table senders force row level security;
create policy tenant on senders to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on senders to rostrum_app;

-- What stands around the body of every email of an organization.
create table email_layouts (
  org_id uuid primary key references organizations (id) on delete cascade,
  company_name text,
  logo_url text,
  logo_alt text,
  footer_text text,
  postal_address text,
  updated_at timestamptz not null,
  link_color text, -- without them ours
  button_color text
);
alter table email_layouts enable row level security;
alter table email_layouts force row level security;
create policy tenant on email_layouts to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update on email_layouts to rostrum_app;

-- The one number an organization's texts come from. It is used once somebody who was told a code has sent it to the
-- number: then it is the organization's, and nobody else's. Test organizations, which write to hardly anybody, need no
-- proof and have no claim.
create table sms_numbers (
  org_id uuid primary key references organizations (id) on delete cascade,
  number text not null check (number ~ '^\+[1-9][0-9]{6,14}$'),
  created_at timestamptz not null,
  proven_at timestamptz
);
create index sms_numbers_by_number on sms_numbers (number);
create unique index sms_numbers_proven on sms_numbers (number) where proven_at is not null;
alter table sms_numbers enable row level security;
alter table sms_numbers force row level security;
create policy tenant on sms_numbers to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
-- A text that comes in names two numbers and no organization: the relay finds whose number it was sent to.
create policy relay on sms_numbers for select to rostrum_relay using (true);
create policy gate on sms_numbers for select to rostrum_gate using (true);
grant select, insert, update, delete on sms_numbers to rostrum_app;
grant select (org_id, number, proven_at) on sms_numbers to rostrum_relay;
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
