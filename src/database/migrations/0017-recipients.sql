-- squawk-ignore-file adding-required-field, require-concurrent-index-creation, require-concurrent-index-deletion
-- The ledger came in the release before this one and holds no rows yet, so nothing waits for its indexes.
set local role rostrum_owner;

-- A merge may bring one person two rows of a broadcast that were both handed over, or ended otherwise: whoever follows
-- a link of the second message, bounces or complains about it must still be found by it. Such a row has its own id as
-- twin; every other has 0, and of those there is one for each person and broadcast.
alter table deliveries add column twin bigint not null default 0;
drop index deliveries_of_person;
create unique index deliveries_of_person on deliveries (org_id, person_id, broadcast_id, twin);

-- A twin that was being handed over during the merge and was put off must not go out later: the person has the other.
create function skip_waiting_twin() returns trigger language plpgsql as $$
begin
  new.state := 'skipped';
  new.reason := 'duplicate_address';
  return new;
end $$;
create trigger deliveries_twins_never_wait before update of state on deliveries
  for each row when (new.twin <> 0 and new.state = 'pending') execute function skip_waiting_twin();

-- Who was skipped or failed for one reason. Without it a page of a rare reason read the whole ledger: 0.3 s of three
-- processes at a million rows, and 1 ms with it.
create index deliveries_by_reason on deliveries (org_id, broadcast_id, reason, state, due_at, id)
  where reason is not null;

-- Whoever deletes or merges a person waits for audiences that are being read: those of its organization, found at once.
create index broadcasts_unprepared on broadcasts (org_id, id)
  where status in ('scheduled', 'sending') and prepared_at is null;
