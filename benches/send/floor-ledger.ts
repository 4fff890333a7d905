import pg from 'pg';
import { answerQuestions } from '../support/forked.ts';

// The least that a ledger can cost: the rows of a message, written in windows by statements that are prepared once, by
// the owner of tables without triggers, policies and totals.

interface Setting {
  readonly url: string;
  readonly org: string;
  readonly broadcast: string;
  readonly window: number;
}

let setting: Setting;
let client: pg.Client;

const tables = `
  create table floor_deliveries (like deliveries_default including all) with (fillfactor = 35);
  create table floor_queue (like delivery_queue including all)`;

const fill = `
  with written as (
    insert into floor_deliveries (org_id, id, broadcast_id, person_id, state, due_at)
    select org_id, id, broadcast_id, person_id, 'pending', due_at from deliveries
    where org_id = $1 and broadcast_id = $2 and person_id is not null returning *)
  insert into floor_queue (org_id, broadcast_id, lane, due_at, id)
  select org_id, broadcast_id, -1, due_at, id from written`;

const claim = `
  with due as (
    delete from floor_queue where (org_id, broadcast_id, lane, due_at, id) in (
      select org_id, broadcast_id, lane, due_at, id from floor_queue
      where org_id = $1 and broadcast_id = $2 and lane = -1 order by due_at, id limit $3)
    returning *),
  held as (
    insert into floor_queue (org_id, broadcast_id, lane, due_at, id)
    select org_id, broadcast_id, 0, due_at, id from due)
  update floor_deliveries d set state = 'sending', lane = 0, claim = $4, attempts = attempts + 1
  from due where d.org_id = $1 and d.id = due.id
  returning d.id`;

const record = `
  with said as (select * from unnest($3::bigint[], $4::text[]) as t(id, address)),
  done as (
    update floor_deliveries d set state = 'sent', sent_at = now(), lane = null, claim = null, address = said.address,
      reply = '250 2.0.0 Ok: queued'
    from said where d.org_id = $1 and d.id = said.id)
  delete from floor_queue q using said
  where q.org_id = $1 and q.broadcast_id = $2 and q.lane = 0 and q.id = said.id`;

async function run(): Promise<number> {
  const { org, broadcast, window } = setting;
  for (let written = 0; ; written += window) {
    const values = [org, broadcast, window, crypto.randomUUID()];
    const { rows } = await client.query<{ id: string }>({
      name: 'claim',
      text: claim,
      values,
    });
    if (rows.length === 0) return written;
    const ids = rows.map(({ id }) => id);
    const addresses = ids.map((id) => `person.number.${id}@example.com`);
    await client.query({ name: 'record', text: record, values: [org, broadcast, ids, addresses] });
  }
}

answerQuestions({
  open: async (asked: Setting) => {
    setting = asked;
    client = new pg.Client({ connectionString: asked.url });
    await client.connect();
    await client.query(tables);
    await client.query(fill, [asked.org, asked.broadcast]);
    await client.query('vacuum analyze floor_deliveries, floor_queue');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]!.pid;
  },
  run,
  close: async () => {
    await client.query('drop table floor_deliveries, floor_queue');
    await client.end();
  },
});
