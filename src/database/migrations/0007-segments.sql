set local role rostrum_owner;

-- A definition only: who belongs to it is asked anew at every read. preset names the ones the service keeps itself.
create table segments (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  description text,
  color text check (color ~* '^#([0-9a-f]{3}|[0-9a-f]{6})$'),
  preset text,
  filters jsonb not null check (jsonb_typeof(filters) = 'array' and jsonb_array_length(filters) between 1 and 20),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, preset)
);
create index segments_by_created_at on segments (org_id, created_at, id);
alter table segments enable row level security;
alter table segments force row level security;
create policy tenant on segments to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on segments to rostrum_app;

-- Every organization has these from its first moment, whoever makes it.
create function add_system_segments(org uuid, at timestamptz) returns void language sql
begin atomic
  insert into segments (org_id, id, name, description, color, preset, filters, created_at, updated_at)
  select org, new_id(at), s.name, s.description, s.color, s.preset, s.filters::jsonb, at, at
  from (values
    ('with_email', 'Everyone with an email', 'People who have an email address.', '#2563eb',
      '[{"property": "primary_email", "op": "is_not_empty"}]'),
    ('identified', 'Identified people', 'People with an email address, a first name or a last name.', '#7c3aed',
      '[{"property": "identified", "op": "eq", "value": true}]'),
    ('opted_out', 'Opted out', 'People who opted out of email or of texts.', '#dc2626',
      '[{"property": "opted_out", "op": "eq", "value": true}]'),
    ('customers', 'Customers', 'People whose subscription is active or on trial.', '#16a34a',
      '[{"property": "subscription_status", "op": "in", "values": ["active", "trialing"]}]'),
    ('recently_engaged', 'Recently engaged', 'People who opened an email within the last 30 days.', '#ea580c',
      '[{"property": "last_opened_at", "op": "gte", "value": "now-30d"}]')
  ) s(preset, name, description, color, filters);
end;
create function organization_added() returns trigger language plpgsql as $$
begin
  perform add_system_segments(new.id, new.created_at);
  return null;
end $$;
create trigger organization_added after insert on organizations
  for each row execute function organization_added();
