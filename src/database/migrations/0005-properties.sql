set local role rostrum_owner;

create table property_configs (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  key text not null check (key ~ '^[A-Za-z0-9_]{1,100}$'),
  name text not null check (length(name) between 1 and 200),
  description text,
  type text not null check (type in ('string', 'number', 'boolean')),
  created_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, key)
);
alter table property_configs enable row level security;
alter table property_configs force row level security;
create policy tenant on property_configs to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on property_configs to rostrum_app;

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
  foreign key (org_id, person_id) references people (org_id, id) on delete cascade,
  foreign key (org_id, config_id) references property_configs (org_id, id) on delete cascade
);
create index property_values_of_config on property_values (org_id, config_id);
alter table property_values enable row level security;
alter table property_values force row level security;
create policy tenant on property_values to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update, delete on property_values to rostrum_app;

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
