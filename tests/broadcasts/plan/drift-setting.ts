import { orgTransaction } from '../../../src/database/org-transaction.ts';
import type { Work } from '../../../src/database/work.ts';
import { requireBroadcast } from '../../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { readPlanInputs, type PlanInputs } from '../../../src/domain/broadcasts/plan/plan-inputs.ts';
import { permissions, type Caller } from '../../../src/kernel/caller.ts';
import type { BroadcastId } from '../../../src/kernel/ids.ts';
import { keyring } from '../../../src/main/keys.ts';
import { mailSettings } from '../../../src/main/mail-settings.ts';
import { inHours, newDraft, newWebinar, plan, register, setLayout } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import type { World } from '../../support/world.ts';

/** A draft of each kind, with every field set that it can have. */
export type Kind = 'everyone' | 'segment' | 'webinar' | 'sms';
export const kinds: readonly Kind[] = ['everyone', 'segment', 'webinar', 'sms'];

type Fields = Readonly<Record<string, unknown>>;

/** An organization with a draft that can be scheduled, and what can be changed under it. */
export interface Setting {
  readonly world: World;
  readonly org: TestOrg;
  readonly id: string;
  readonly sender: string;
  readonly segment: string;
  readonly webinar: string;
  readonly patch: (fields: Fields) => Promise<void>;
  /** Any other change, over REST. */
  readonly call: (route: string, fields?: Fields) => Promise<void>;
}

export const layout = {
  company_name: 'Example',
  logo_url: 'https://example.com/logo.png',
  logo_alt: 'The logo',
  footer_text: 'You get this because you asked for it.',
  postal_address: '1 Main Street, Springfield',
  link_color: '#9d174d',
  button_color: '#ffcc00',
};
export const firstName = '{{context.root_context.org_user.first_name}}';
export const filters = [{ property: 'first_name', op: 'is_not_empty' }];
export const session = {
  title: 'Getting started',
  start_time: '2031-03-01T15:00:00.000Z',
  duration_minutes: 45,
  join_url: 'https://example.com/join',
  timezone: 'Europe/Paris',
};
/** A month before the session, so that it is less than a year away. */
export const planning = new Date('2031-02-01T09:00:00.000Z');

export async function newSetting(world: World, kind: Kind): Promise<Setting> {
  const org = await world.newOrg();
  await setLayout(org, layout);
  await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  const sender = await newSender(world, org, { reply_to: 'answers@example.com' });
  const segment = await newSegment(org, filters);
  const webinar = await newWebinar(world, org, session);
  const rita = await org.person({ email: 'rita@example.com', phone: '+15550002222', first_name: 'Rita' });
  await register(world, org, webinar, rita);
  const body = '{{var_name}}, hello';
  const draft = await newDraft(org, {
    variables: { var_name: { variable: firstName, fallback: 'Friend' } },
    hold_if_audience_changes_by: 25,
    ...(kind === 'sms'
      ? { channel: 'sms', message_body: body }
      : { subject: 'Hello', preview_text: 'A word', html: `<p>${body}</p>`, sender_id: sender }),
    ...(kind === 'everyone' && { audience: 'everyone' }),
    ...(kind === 'segment' && { audience: 'segment', segment_id: segment }),
    ...((kind === 'webinar' || kind === 'sms') && {
      audience: 'webinar',
      webinar_id: webinar,
      webinar_offset_minutes: 60,
    }),
  });
  const call = async (route: string, fields?: Fields): Promise<void> => {
    const { status, body: answer } = await org.rest(route, fields);
    if (status >= 300) throw new Error(`${route} answered ${status}: ${JSON.stringify(answer)}`);
  };
  const patch = (fields: Fields) => call(`PATCH /v1/broadcasts/${draft.id}`, fields);
  return { world, org, id: draft.id, sender, segment, webinar, patch, call };
}

/** Plans as it stands: timed by its webinar, or else for the next day. */
export async function planSetting({ org, id, world }: Setting) {
  const { timing } = (await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast;
  return plan(org, id, timing.webinar_offset_minutes === null ? inHours(24, world.clock.now()) : null);
}

/** Somebody who may do everything, as a key of the organization. */
export const callerOf = ({ id, keyId }: TestOrg, now: Date): Caller => ({
  org: id,
  actor: { kind: 'api_key', id: keyId },
  permissions: new Set(permissions),
  powers: new Set(),
  face: 'rest',
  requestId: 'a test',
  address: null,
  now,
  mode: 'test',
  currency: 'USD',
});

/** Everything its plan is made of, read as plan_broadcast reads it. */
export const inputsOf = ({ world, org, id }: Setting): Promise<PlanInputs> =>
  orgTransaction(world.database, org.id, 'read', async (db) => {
    const now = world.clock.now();
    const work: Work = {
      db,
      org: org.id,
      now,
      caller: callerOf(org, now),
      touched: {},
      keys: keyring(world.config),
      mail: mailSettings(world.config),
    };
    return readPlanInputs(work, await requireBroadcast(work, id as BroadcastId));
  });
