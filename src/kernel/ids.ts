import { randomUUID } from 'node:crypto';
import { z } from 'zod';

// Any well-formed uuid is accepted: an unknown one is answered "not found", not "malformed".
export const OrgId = z.guid().brand<'OrgId'>();
export type OrgId = z.infer<typeof OrgId>;
export const UserId = z.guid().brand<'UserId'>();
export type UserId = z.infer<typeof UserId>;
export const ToolConnectionId = z.guid().brand<'ToolConnectionId'>();
export type ToolConnectionId = z.infer<typeof ToolConnectionId>;
export const ApiKeyId = z.guid().brand<'ApiKeyId'>();
export type ApiKeyId = z.infer<typeof ApiKeyId>;
export const InvitationId = z.guid().brand<'InvitationId'>();
export type InvitationId = z.infer<typeof InvitationId>;
export const PersonId = z.guid().brand<'PersonId'>();
export type PersonId = z.infer<typeof PersonId>;
export const IdentifierId = z.guid().brand<'IdentifierId'>();
export type IdentifierId = z.infer<typeof IdentifierId>;
export const PropertyConfigId = z.guid().brand<'PropertyConfigId'>();
export type PropertyConfigId = z.infer<typeof PropertyConfigId>;
export const BlacklistEntryId = z.guid().brand<'BlacklistEntryId'>();
export type BlacklistEntryId = z.infer<typeof BlacklistEntryId>;
export const SegmentId = z.guid().brand<'SegmentId'>();
export type SegmentId = z.infer<typeof SegmentId>;
export const SenderId = z.guid().brand<'SenderId'>();
export type SenderId = z.infer<typeof SenderId>;
export const SendingDomainId = z.guid().brand<'SendingDomainId'>();
export type SendingDomainId = z.infer<typeof SendingDomainId>;
export const WebinarId = z.guid().brand<'WebinarId'>();
export type WebinarId = z.infer<typeof WebinarId>;
export const BroadcastId = z.guid().brand<'BroadcastId'>();
export type BroadcastId = z.infer<typeof BroadcastId>;
export const WorkflowId = z.guid().brand<'WorkflowId'>();
export type WorkflowId = z.infer<typeof WorkflowId>;
export const WorkflowRunId = z.guid().brand<'WorkflowRunId'>();
export type WorkflowRunId = z.infer<typeof WorkflowRunId>;
export const PlatformConnectionId = z.guid().brand<'PlatformConnectionId'>();
export type PlatformConnectionId = z.infer<typeof PlatformConnectionId>;
export const PeopleViewId = z.guid().brand<'PeopleViewId'>();
export type PeopleViewId = z.infer<typeof PeopleViewId>;
export const ImportId = z.guid().brand<'ImportId'>();
export type ImportId = z.infer<typeof ImportId>;

let lastMillisecond = -1;
let sequence = 0;

/**
 * A UUIDv7: ids made one after another by a process sort in that order, also within a millisecond. A list of people
 * makes thousands of them at one moment, so the count takes 24 bits, on both sides of the version's fixed ones.
 */
export function newId<Id extends string = string>(now: Date): Id {
  const random = randomUUID(); // node keeps random bytes in stock for it; asking for them each time cost 16 µs
  const millisecond = now.getTime();
  sequence =
    millisecond === lastMillisecond
      ? (sequence + 1) & 0xff_ffff
      : (Number.parseInt(random.slice(0, 3), 16) >> 1) << 12;
  lastMillisecond = millisecond;
  const time = millisecond.toString(16).padStart(12, '0');
  const order = sequence.toString(16).padStart(6, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order.slice(0, 3)}-8${order.slice(3)}-${random.slice(24)}` as Id;
}

/** Lower than every id that was made at this moment or later, and higher than every one before. */
export const firstIdAt = (moment: Date): string => {
  const time = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-0000-0000-000000000000`;
};
