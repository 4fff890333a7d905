import { sql } from 'kysely';
import { z } from 'zod';
import { ImportId, PropertyConfigId, SendingDomainId, type BroadcastId } from '../kernel/ids.ts';
import { declareMessage, isoText } from './engine-message.ts';

/**
 * Everything that crosses to the engine, by the name of its service there. The outbox, the handlers, the sweep and
 * `rearm` all go by this list. Engines hold messages in flight: a name stays, and a field is only added, as optional.
 */
export const engineMessages = {
  BroadcastStart: declareMessage({
    is: 'an alarm of a broadcast',
    handler: 'begin',
    payload: { broadcast_id: z.guid(), revision: z.coerce.number<string>().int().positive() },
    due: {
      names: 'broadcast_id',
      clock: 'organization',
      alarm: true,
      rests: true,
      from: 'broadcasts',
      at: 'send_at',
      where: () => sql`d.status = 'scheduled' and d.held_at is null`,
      payload: { broadcast_id: sql`d.id`, revision: sql`d.revision::text` },
    },
  }),
  BroadcastRun: declareMessage({
    is: 'a lane of a broadcast',
    handler: 'send',
    payload: {
      lane: z
        .string()
        .regex(/^[0-9a-f-]{36}\/\d{1,3}$/)
        .transform((text) => {
          const [broadcast, number] = text.split('/') as [BroadcastId, string];
          return { broadcast, number: Number(number) };
        }),
      ticket: z.int().positive().optional(),
      goes_on: z.boolean().optional(),
    },
    due: {
      names: 'lane',
      clock: 'organization',
      rests: true,
      from: 'delivery_lanes',
      at: 'next_at',
      payload: { lane: sql`d.broadcast_id || '/' || d.lane` },
    },
  }),
  TestSend: declareMessage({
    is: 'a test of a broadcast',
    handler: 'send',
    payload: { test_send_id: z.guid() },
    due: {
      names: 'test_send_id',
      clock: 'service',
      rests: true,
      from: 'test_sends',
      at: 'created_at',
      where: () => sql`d.taken_at is null`,
      payload: { test_send_id: sql`d.id` },
    },
  }),
  WaitClock: declareMessage({
    is: 'the alarm of a clock',
    handler: 'ring',
    payload: { clock_id: z.guid(), at: z.iso.datetime(), holder: z.string().optional() },
    due: {
      names: 'clock_id',
      clock: 'organization',
      alarm: true,
      rests: true,
      from: 'wait_clocks',
      at: 'next_at',
      where: ({ now, engineLost }) =>
        engineLost ? sql`true` : sql`(d.busy_until is null or d.busy_until < ${now})`,
      payload: { clock_id: sql`d.id`, at: isoText('d.next_at') },
    },
  }),
  ImportRun: declareMessage({
    is: 'an import to commit',
    handler: 'commit',
    payload: { import_id: ImportId },
    due: {
      names: 'import_id',
      clock: 'service', // run_at is when a silent import is sent again
      alarm: true,
      rests: true,
      from: 'imports',
      at: 'run_at',
      payload: { import_id: sql`d.id` },
    },
  }),
  PersonProperties: declareMessage({
    is: 'a property change',
    handler: 'apply',
    oneByOne: true,
    payload: { change_id: z.guid(), request_id: z.string() },
    due: {
      names: 'change_id',
      clock: 'organization',
      from: 'property_changes',
      at: 'requested_at',
      payload: { change_id: sql`d.id`, request_id: sql`d.request_id` },
    },
  }),
  PropertyRemoval: declareMessage({
    is: 'a property to remove the values of',
    handler: 'remove',
    payload: { config_id: PropertyConfigId, after: z.guid().optional() },
    due: {
      names: 'config_id',
      clock: 'service', // run_at is the removal's last sign of progress
      from: 'property_removals',
      at: 'run_at',
      payload: { config_id: sql`d.config_id` },
    },
  }),
  OrganizationRemoval: declareMessage({
    is: 'an organization to remove',
    handler: 'remove',
    payload: { asked_at: z.iso.datetime(), after: z.int().optional() },
    due: {
      names: 'asked_at',
      clock: 'service', // run_at is the removal's last sign of progress
      from: 'organization_removals',
      at: 'run_at',
      where: () => sql`d.done_at is null`,
      payload: { asked_at: isoText('d.asked_at') },
    },
  }),
  SendingDomains: declareMessage({
    is: 'a check of a sending domain',
    handler: 'check',
    payload: { domain_id: SendingDomainId, asked_at: z.coerce.date<string>() },
    due: {
      names: 'domain_id',
      clock: 'service',
      from: 'sending_domains',
      at: 'next_check_at',
      payload: { domain_id: sql`d.id`, asked_at: sql`d.next_check_at` },
    },
  }),
  PlatformPush: declareMessage({
    is: 'a push of registrants',
    handler: 'push',
    payload: { push_webinar_id: z.guid(), ticket: z.int().optional(), troubles: z.int().optional() },
    due: {
      names: 'push_webinar_id',
      clock: 'service', // platforms live in the world's time
      rests: true,
      from: ({ latest }) => sql`(
        select org_id, webinar_id, min(at) as at from (
          select org_id, webinar_id, push_next_at as at from registrations where push_next_at <= ${latest}
          union all
          select org_id, webinar_id, coalesce(push_until, '-infinity') from platform_links
          where push_after is not null and (push_until is null or push_until <= ${latest})
        ) pending group by org_id, webinar_id)`,
      at: 'at',
      payload: { push_webinar_id: sql`d.webinar_id` },
    },
  }),
  AttendanceSync: declareMessage({
    is: 'a report to read',
    handler: 'read',
    payload: {
      sync_webinar_id: z.guid(),
      ticket: z.int().optional(),
      cursor: z.string().max(2_000).optional(),
      rows: z.int().optional(),
      strangers: z.int().optional(),
      tries: z.int().optional(),
    },
    due: {
      names: 'sync_webinar_id',
      clock: 'organization',
      from: 'platform_links',
      at: 'sync_at',
      payload: { sync_webinar_id: sql`d.webinar_id` },
    },
  }),
} as const;

export type MessageName = keyof typeof engineMessages;
export const messageNames = Object.keys(engineMessages) as MessageName[];

type Payload<Name extends MessageName> = (typeof engineMessages)[Name]['payload'];

/** The fields to send, without the organization, which comes from the sender's transaction. */
export type MessageFields<Name extends MessageName> = Omit<z.input<Payload<Name>>, 'org_id'>;

/** What a handler reads. */
export type Received<Name extends MessageName> = z.output<Payload<Name>>;
