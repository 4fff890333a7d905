import { newDraft, newWebinar, register } from '../support/broadcast.ts';
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
  const people = new Map<string, string>();
  const area = ++made;
  for (let at = 0; at < count; at++) {
    const phone = `+4477${String(area).padStart(3, '0')}${String(at).padStart(5, '0')}`;
    const person = await org.person({ phone, first_name: `Reader ${at}` });
    await register(world, org, webinar, person);
    people.set(phone, person);
  }
  await world.admin.query('update organizations set test_recipients = $2 where id = $1', [
    org.id,
    [...people.keys()],
  ]);
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
