set local role rostrum_owner;

-- What leaves the queue is looked up by a plan for the queue as it is. A connection kept the plan from when the queue
-- was short, which goes through all of it for each row of a window: 15 ms a message once it had 10,000 rows. A statement
-- that is executed is planned each time, in half a millisecond a window.
create or replace function requeue_deliveries() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if not exists (select from (table was union all table changed) d where state in ('pending', 'sending')) then
    return null; -- it rests: opened, clicked, bounced
  end if;
  -- The place is worked out first: the policy lets only a value find its way by the index.
  execute $statement$
    delete from delivery_queue q using (
      select org_id, broadcast_id, queue_lane(state, lane) as place, due_at, id from was
      where state in ('pending', 'sending') offset 0) o
    where q.org_id = o.org_id and q.broadcast_id = o.broadcast_id and q.lane = o.place and q.due_at = o.due_at
      and q.id = o.id $statement$;
  insert into delivery_queue (org_id, broadcast_id, lane, due_at, id)
  select org_id, broadcast_id, queue_lane(state, lane), due_at, id from changed where state in ('pending', 'sending');
  return null;
end $$;
