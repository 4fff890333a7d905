set local role rostrum_owner;

-- What leaves the queue is looked up row by row, and deleted by the places found. As a join of the two, PostgreSQL went
-- through the whole queue for each row of a window where it took the queue for short: by a plan that a connection had
-- kept, or after a vacuum that found the queue empty and could not shorten its file. 5 s a window of 512 among 10,000
-- instead of 50 ms. A statement that is executed is planned each time, in half a millisecond a window.
create or replace function requeue_deliveries() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if not exists (select from (table was union all table changed) d where state in ('pending', 'sending')) then
    return null; -- it rests: opened, clicked, bounced
  end if;
  -- The lane is worked out first: the policy lets only a value find its way by the index.
  execute $statement$
    delete from delivery_queue where ctid = any(array(
      select (
        select q.ctid from delivery_queue q
        where q.org_id = o.org_id and q.broadcast_id = o.broadcast_id and q.lane = o.place and q.due_at = o.due_at
          and q.id = o.id)
      from (
        select org_id, broadcast_id, queue_lane(state, lane) as place, due_at, id from was
        where state in ('pending', 'sending') offset 0) o)) $statement$;
  insert into delivery_queue (org_id, broadcast_id, lane, due_at, id)
  select org_id, broadcast_id, queue_lane(state, lane), due_at, id from changed where state in ('pending', 'sending');
  return null;
end $$;
