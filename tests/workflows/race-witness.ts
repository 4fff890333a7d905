import type { World } from '../support/world.ts';

/** What the database saw, in the order in which the webinar's clock let it happen. */
export interface Sighting {
  readonly seq: number;
  readonly kind: 'came' | 'left' | 'moved' | 'walked';
  readonly run_id: string | null;
  /** The webinar's start then, and when it was last brought forward. */
  readonly start: number;
  readonly broughtForwardAt: number;
  /** When it happened, by the organization's clock. */
  readonly seen: number;
  /** Of `walked`: which steps of the run's path were written. */
  readonly first: number;
  readonly last: number;
}

/**
 * Writes down inside each transaction when a run came to an anchored wait, left one, or went some steps, and when the
 * webinar was moved. A number is taken at that moment: whoever moves the webinar is alone with its clock, so of
 * everything else each is wholly before or wholly after, or the numbers do not add up.
 */
export async function installWitness({ admin }: World, org: string, webinar: string): Promise<void> {
  const ids = { org: admin.escapeLiteral(org), webinar: admin.escapeLiteral(webinar) };
  await admin.query(`
    create table sightings (
      seq bigint generated always as identity, kind text not null, run_id uuid, start_time timestamptz,
      moved_at timestamptz, seen timestamptz not null, first int not null default 0, last int not null default 0);
    create function see(kind text, run uuid, first int, last int) returns void
    language sql volatile security definer set search_path = public as $$
      insert into sightings (kind, run_id, start_time, moved_at, seen, first, last)
      select kind, run, w.start_time, w.moved_at,
        clock_timestamp() + o.clock_ahead_ms * interval '1 millisecond', first, last
      from webinars w join organizations o on o.id = w.org_id
      where w.org_id = ${ids.org} and w.id = ${ids.webinar} $$;
    create function see_wait() returns trigger language plpgsql as $$ begin
      if TG_OP <> 'INSERT' and old.anchor is not null then perform see('left', old.run_id, 0, 0); end if;
      if TG_OP <> 'DELETE' and new.anchor is not null then perform see('came', new.run_id, 0, 0); end if;
      return null; end $$;
    create function see_move() returns trigger language plpgsql as $$ begin
      perform see('moved', null, 0, 0); return null; end $$;
    create function see_walk() returns trigger language plpgsql as $$ begin
      perform see('walked', new.id, jsonb_array_length(old.path), jsonb_array_length(new.path)); return null; end $$;
    create trigger see_coming after insert or update on waits for each row
      when (new.clock_id = ${ids.webinar}) execute function see_wait();
    create trigger see_leaving after delete on waits for each row
      when (old.clock_id = ${ids.webinar}) execute function see_wait();
    create trigger see_moving after update of start_time on webinars for each row
      when (new.id = ${ids.webinar} and new.start_time <> old.start_time) execute function see_move();
    create trigger see_walking after update of path on workflow_runs for each row
      when (new.webinar_id = ${ids.webinar} and new.path <> old.path) execute function see_walk()`);
}

export async function readSightings({ admin }: World): Promise<Sighting[]> {
  const { rows } = await admin.query<Sighting>(`
    select seq::int, kind, run_id, first, last, extract(epoch from start_time) * 1000 as start,
      coalesce(extract(epoch from moved_at) * 1000, '-Infinity') as "broughtForwardAt",
      extract(epoch from seen) * 1000 as seen
    from sightings order by seq`);
  return rows.map((row) => ({
    ...row,
    start: Number(row.start),
    broughtForwardAt: Number(row.broughtForwardAt),
    seen: Number(row.seen),
  }));
}

export async function removeWitness({ admin }: World): Promise<void> {
  await admin.query(`
    drop function see_wait, see_move, see_walk cascade;
    drop function see;
    drop table sightings`);
}
