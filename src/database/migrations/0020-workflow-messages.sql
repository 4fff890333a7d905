-- squawk-ignore-file adding-required-field, require-concurrent-index-creation, require-concurrent-index-deletion
-- squawk-ignore-file constraint-missing-not-valid, disallowed-unique-constraint, adding-foreign-key-constraint
set local role rostrum_owner;

-- What a workflow sends at one of its nodes, for one webinar, is kept as a broadcast whose audience grows: recipients
-- are added as runs come by, and everything from the ledger on is the same (ADR 31). Such rows are no broadcasts to
-- callers: they have the audience `workflow`.
alter table broadcasts
  add column workflow_id uuid,
  add column workflow_version bigint,
  add column node text,
  drop constraint broadcasts_audience_check,
  add constraint broadcasts_audience_check check (audience in ('everyone', 'segment', 'webinar', 'workflow')),
  add constraint broadcasts_of_workflows check
    ((audience = 'workflow') = (workflow_id is not null and workflow_version is not null and node is not null)),
  add foreign key (org_id, workflow_id) references workflows (org_id, id) on delete cascade;
create unique index broadcasts_of_node on broadcasts
  (org_id, workflow_id, workflow_version, node, (coalesce(webinar_id, org_id))) where workflow_id is not null;
-- Lists show broadcasts only, however many mailings there are.
drop index broadcasts_by_created_at;
create index broadcasts_by_created_at on broadcasts (org_id, created_at, id) where workflow_id is null;

-- run_id: the run whose message it is. occasion tells the messages of one node to one person apart; 0 in a broadcast,
-- which has one for each. added_at: when it came into the ledger; a message of a broadcast came with the broadcast.
alter table deliveries
  add column run_id uuid,
  add column occasion bigint not null default 0,
  add column added_at timestamptz;
create sequence delivery_occasions;
grant usage on sequence delivery_occasions to rostrum_app;
drop index deliveries_of_person;
create unique index deliveries_of_person on deliveries (org_id, person_id, broadcast_id, twin, occasion);

-- Nobody is at work in a lane that rests: whoever adds recipients may wake it. The lanes of a mailing stay when there is
-- nothing left to do, with next_at infinity.
alter table delivery_lanes add column resting boolean not null default false;

-- In one pass over the rows: a part of an audience is 20,000 of them.
create or replace function count_deliveries_added() returns trigger language plpgsql as $$
begin
  with counted as materialized (
    select org_id, broadcast_id, state, reason, count(*) as n from added group by org_id, broadcast_id, state, reason
  ), skipped as (
    insert into broadcast_skips as s (org_id, broadcast_id, reason, count)
    select org_id, broadcast_id, reason, n from counted where state = 'skipped' order by 1, 2, 3
    on conflict (org_id, broadcast_id, reason) do update set count = s.count + excluded.count
  )
  update broadcasts b set
    recipients = b.recipients + a.recipients, pending = b.pending + a.pending, skipped = b.skipped + a.skipped
  from (
    select org_id, broadcast_id, sum(n) as recipients,
      coalesce(sum(n) filter (where state in ('pending', 'sending')), 0) as pending,
      coalesce(sum(n) filter (where state = 'skipped'), 0) as skipped
    from counted group by org_id, broadcast_id order by org_id, broadcast_id) a
  where b.org_id = a.org_id and b.id = a.broadcast_id;
  return null;
end $$;
