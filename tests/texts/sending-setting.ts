import { newId } from '../../src/kernel/ids.ts';
import { newDraft, newWebinar } from '../support/broadcast.ts';
import { clockOf, moveClock, scheduleAt } from '../support/sending.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';
import { newTextOrg } from './text-setting.ts';

export interface TextStage {
  readonly org: TestOrg;
  readonly number: string;
  readonly webinar: string;
  /** Everybody registered, by their number. */
  readonly people: ReadonlyMap<string, string>;
}

let made = 0;

/** An organization whose texts really go out, and registrants of a webinar. */
export async function newStage(world: World, count: number): Promise<TextStage> {
  const { org, number } = await newTextOrg(world);
  const webinar = await newWebinar(world, org);
  const area = ++made;
  const readers = Array.from({ length: count }, (_, at) => ({
    id: newId(new Date()),
    phone: `+4477${String(area).padStart(3, '0')}${String(at).padStart(5, '0')}`,
    first_name: `Reader ${at}`,
  }));
  // By one statement: to identify and register them one by one took longer than to text them.
  await world.admin.query(
    `with sent as (
       select * from jsonb_to_recordset($3::jsonb) as s(id uuid, phone text, first_name text)
     ), made as (
       insert into people (org_id, id, first_name, primary_phone, primary_contact_method, created_at, updated_at)
       select $1, id, first_name, phone, 'phone', now(), now() from sent
     ), known as (
       insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
       select $1, new_id(now()), id, 'phone', phone, true, true, now() from sent
     ), settings as (
       update organizations set test_recipients = (select array_agg(phone) from sent) where id = $1
     )
     insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select $1, gen_random_uuid(), $2, id, now() from sent`,
    [org.id, webinar, JSON.stringify(readers)],
  );
  const people = new Map<string, string>(readers.map(({ id, phone }) => [phone, id]));
  return { org, number, webinar, people };
}

/** Schedules a text to the registrants and moves the clock to its time. */
export async function sendText(
  { org, webinar }: TextStage,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { id } = await newDraft(org, {
    channel: 'sms',
    audience: 'webinar',
    webinar_id: webinar,
    message_body: 'Starts soon',
    ...fields,
  });
  const at = (await clockOf(org)) + 90 * 60_000;
  await scheduleAt(org, id, at);
  await moveClock(org, at);
  return id;
}

export const totalsOf = async (org: TestOrg, broadcast: string): Promise<Record<string, number>> =>
  (await org.rest(`GET /v1/broadcasts/${broadcast}/stats`)).body.totals;
