import { tokenFor } from '../../src/domain/delivery/ledger/delivery-token.ts';
import { keyring } from '../../src/main/keys.ts';
import { newDraft, newWebinar } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { Asked, Twilio } from '../support/twilio.ts';
import type { World } from '../support/world.ts';

export const publicUrl = 'https://texts.rostrum.test';

export const twilioSettings = ({ accountSid, authToken, baseUrl }: Twilio): Record<string, string> => ({
  SMS_PROVIDER: 'twilio',
  PUBLIC_URL: publicUrl,
  TWILIO_ACCOUNT_SID: accountSid,
  TWILIO_AUTH_TOKEN: authToken,
  TWILIO_BASE_URL: baseUrl,
});

let made = 0;

/** An organization with a number of its own, or one that it shares. */
export async function newTextOrg(
  world: World,
  number = `+1555${String(++made).padStart(7, '0')}`,
): Promise<{ org: TestOrg; number: string }> {
  const org = await world.newOrg();
  const { status } = await org.rest('PUT /v1/sms-number', { number });
  if (status !== 200) throw new Error(`set_sms_number answered ${status}`);
  return { org, number };
}

export interface SentText {
  readonly broadcast: string;
  readonly delivery: number;
  /** As Twilio would have been asked for it. */
  readonly asked: Asked;
}

/** A text in the ledger, as a run would have left it there. */
export async function sentText(
  world: World,
  org: TestOrg,
  person: string,
  {
    state = 'sent',
    receipt = null,
    sentAt = new Date(),
  }: { state?: string; receipt?: string | null; sentAt?: Date | null } = {},
): Promise<SentText> {
  const webinar_id = await newWebinar(world, org);
  const { id: broadcast } = await newDraft(org, {
    channel: 'sms',
    audience: 'webinar',
    webinar_id,
    message_body: 'Hello',
  });
  const { rows } = await world.admin.query<{ id: string }>(
    `insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
     values ($1, $2, $3, 'pending', now()) returning id`,
    [org.id, broadcast, person],
  );
  const delivery = Number(rows[0]!.id);
  await world.admin.query('update deliveries set state = $2, receipt = $3, sent_at = $4 where id = $1', [
    delivery,
    state,
    receipt,
    state === 'sent' ? sentAt : null,
  ]);
  const token = tokenFor(keyring(world.config), 'receipt', { org: org.id, delivery });
  const StatusCallback = `${publicUrl}/webhooks/twilio/status/${token}#rc=5&rp=all`;
  return {
    broadcast,
    delivery,
    asked: { sid: `SM${delivery}`, To: '+1', From: '+1', Body: '', StatusCallback },
  };
}

export async function deliveryOf({ admin }: World, id: number): Promise<Record<string, unknown>> {
  return (await admin.query('select * from deliveries where id = $1', [id])).rows[0];
}

/** Every audit row of an organization that the service wrote of its own accord. */
export async function serviceAudit(
  { admin }: World,
  org: TestOrg,
): Promise<{ operation: string; ids: object }[]> {
  const { rows } = await admin.query(
    "select operation, ids from audit_log where org_id = $1 and actor_kind = 'service' order by at, id",
    [org.id],
  );
  return rows;
}

export async function eventsOf(
  { admin }: World,
  person: string,
): Promise<{ name: string; custom_properties: object }[]> {
  const { rows } = await admin.query(
    'select name, custom_properties from events where person_id = $1 order by id',
    [person],
  );
  return rows;
}

interface TimelineEvent {
  readonly event_name: string;
  readonly custom_properties: object;
}

/** Oldest first, as the interface tells it. */
export const timelineOf = async (org: TestOrg, person: string): Promise<TimelineEvent[]> =>
  (await org.rest(`GET /v1/people/${person}/events?limit=100`)).body.events.toReversed();

export const isOptedOut = async (org: TestOrg, person: string): Promise<boolean> =>
  (await org.rest(`GET /v1/people/${person}/opt-outs`)).body.opt_outs.sms_opt_out;
