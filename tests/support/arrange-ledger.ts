import { newDraft } from './broadcast.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

type Fields = Readonly<Record<string, unknown>>;

/** When the broadcasts made here began, unless said otherwise. */
export const began = '2026-03-02T09:00:00.000Z';

/** A broadcast that is being sent, with nobody in its ledger yet. `fields` are columns of its row. */
export async function newSending(
  { admin }: World,
  org: TestOrg,
  fields: Fields = {},
  draft: Fields = { audience: 'everyone' },
): Promise<string> {
  const { id } = await newDraft(org, draft);
  const row: Fields = {
    status: 'sending',
    send_at: began,
    started_at: began,
    prepared_at: began,
    paced_over_hours: 3,
    ...fields,
  };
  const columns = Object.keys(row).map((column, at) => `${column} = $${at + 2}`);
  await admin.query(`update broadcasts set ${columns.join(', ')} where id = $1`, [id, ...Object.values(row)]);
  return id;
}

/**
 * Somebody in the ledger of a broadcast, as a run would have brought them there: first to come, then what `fields` say.
 * Answers the row's id.
 */
export async function addDelivery(
  { admin }: World,
  org: TestOrg,
  broadcast: string,
  person: string | null,
  fields: Fields = {},
): Promise<number> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into deliveries (org_id, id, broadcast_id, person_id, state, due_at)
     select $1, first_number_of_month(coalesce(started_at, now())) + nextval('delivery_ids'), id, $3, 'pending', $4
     from broadcasts where id = $2 returning id`,
    [org.id, broadcast, person, fields['due_at'] ?? began],
  );
  const id = Number(rows[0]!.id);
  await setDelivery({ admin }, id, fields);
  return id;
}

export async function setDelivery(
  { admin }: Pick<World, 'admin'>,
  id: number,
  fields: Fields,
): Promise<void> {
  const names = Object.keys(fields);
  if (names.length === 0) return;
  const columns = names.map((column, at) => `${column} = $${at + 2}`);
  const values = names.map((name) => (name === 'history' ? JSON.stringify(fields[name]) : fields[name]));
  await admin.query(`update deliveries set ${columns.join(', ')} where id = $1`, [id, ...values]);
}
