import type pg from 'pg';

export type Row = Record<string, unknown>;

/** How to put a row into each table that refers to people; $1 is the organization, $2 the person. */
const inserts = {
  connection_invites: `insert into connection_invites (org_id, id, person_id, created_at)
    values ($1, gen_random_uuid(), $2, now())`,
  deliveries: `with broadcast as (
      insert into broadcasts (org_id, id, channel, audience, created_by, created_at, updated_at)
      values ($1, gen_random_uuid(), 'email', 'everyone', '{}', now(), now()) returning id)
    insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
    select $1::uuid, id, $2::uuid, 'sent', now() from broadcast`,
  email_blacklist: `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
    values ($1, gen_random_uuid(), $2, gen_random_uuid() || '@example.com', 'bounced', now())`,
  events: `insert into events (org_id, id, person_id, name, occurred_at, created_at)
    values ($1, gen_random_uuid(), $2, 'visited', now(), now())`,
  identifiers: `insert into identifiers (org_id, id, person_id, type, value, created_at)
    values ($1, gen_random_uuid(), $2, 'chat', gen_random_uuid(), now())`,
  merged_people: `insert into merged_people (org_id, id, survivor_id, merged_at)
    values ($1, gen_random_uuid(), $2, now())`,
  named_events: `insert into named_events (org_id, event_id, person_id, id)
    values ($1, gen_random_uuid(), $2, gen_random_uuid())`,
  opt_outs: `insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
    values ($1, $2, false, false, now())`,
  property_changes: `insert into property_changes (org_id, id, person_id, changes, requested_at, request_id)
    values ($1, gen_random_uuid(), $2, '{}', now(), 'arranged')`,
  property_values: `with config as (
      insert into property_configs (org_id, id, key, name, type, created_at)
      values ($1, gen_random_uuid(), 'key_' || substr(md5(random()::text), 1, 20), 'A key', 'string', now())
      returning id)
    insert into property_values (org_id, person_id, config_id, text_value, changed_by, created_at)
    select $1::uuid, $2::uuid, id, 'a value', new_id(now()), now() from config`,
  purchases: `insert into purchases (org_id, id, person_id, processor, processor_payment_id, amount, paid_at)
    values ($1, gen_random_uuid(), $2, 'processor_a', gen_random_uuid(), 4200, now())`,
  registrations: `with webinar as (
      insert into webinars (org_id, id, title, start_time, created_at)
      values ($1, gen_random_uuid(), 'A webinar', now(), now()) returning id)
    insert into registrations (org_id, id, webinar_id, person_id, registered_at)
    select $1::uuid, gen_random_uuid(), id, $2::uuid, now() from webinar`,
  signals: `insert into signals (org_id, id, person_id, kind, created_at)
    values ($1, gen_random_uuid(), $2, 'visit', now())`,
  subscriptions: `insert into subscriptions
      (org_id, id, person_id, processor, processor_subscription_id, status, created_at)
    values ($1, gen_random_uuid(), $2, 'processor_a', gen_random_uuid(), 'active', now())`,
  tasks: `insert into tasks (org_id, id, person_id, title, created_at)
    values ($1, gen_random_uuid(), $2, 'Call back', now())`,
  test_sends: `with broadcast as (
      insert into broadcasts (org_id, id, channel, audience, created_by, created_at, updated_at)
      values ($1, gen_random_uuid(), 'email', 'everyone', '{}', now(), now()) returning id)
    insert into test_sends (org_id, id, broadcast_id, person_id, addresses, messages, created_at)
    select $1::uuid, gen_random_uuid(), id, $2::uuid, '{me@example.com}', 1, now() from broadcast`,
  waits: `with run as (
      insert into workflow_runs (org_id, id, workflow_id, version, person_id, started_at)
      values ($1, gen_random_uuid(), gen_random_uuid(), 1, $2, now()) returning id, workflow_id)
    insert into waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, due_at, began_at)
    select $1::uuid, id, $1::uuid, $2::uuid, workflow_id, 1, 'trigger', now(), now() from run`,
  workflow_runs: `insert into workflow_runs (org_id, id, workflow_id, version, person_id, started_at)
    values ($1, gen_random_uuid(), gen_random_uuid(), 1, $2, now())`,
};

export type PersonTable = keyof typeof inserts;

export const personTables = Object.keys(inserts) as PersonTable[];

/** The column of a table that names the person. */
export const personColumn = (table: PersonTable): string =>
  table === 'merged_people' ? 'survivor_id' : 'person_id';

/** Puts one row there, as no face can yet. */
export async function addRow(
  admin: pg.Client,
  org: string,
  table: PersonTable,
  person: string,
): Promise<Row> {
  const { rows } = await admin.query<Row>(`${inserts[table]} returning *`, [org, person]);
  return rows[0]!;
}

export async function rowsOf(
  admin: pg.Client,
  org: string,
  table: PersonTable,
  person: string | null,
): Promise<Row[]> {
  const { rows } = await admin.query<Row>(
    `select t.* from ${table} t where org_id = $1 and ${personColumn(table)} is not distinct from $2 order by t::text`,
    [org, person],
  );
  return rows;
}
