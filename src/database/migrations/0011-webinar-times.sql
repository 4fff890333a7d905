set local role rostrum_owner;

-- What a broadcast to a webinar's registrants is timed by, reads and asks of them.
alter table webinars
  add column status text not null default 'scheduled' check (status in ('draft', 'scheduled', 'canceled')),
  add column timezone text,
  add column duration_minutes double precision check (duration_minutes > 0 and duration_minutes <= 100000),
  add column join_url text;
alter table registrations
  add column attended boolean not null default false,
  add column join_url text;
