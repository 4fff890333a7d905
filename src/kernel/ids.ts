import { randomFillSync } from 'node:crypto';
import { z } from 'zod';

// Any well-formed uuid is a fair question: one that nobody has is answered "not found", not "malformed".
export const OrgId = z.guid().brand<'OrgId'>();
export type OrgId = z.infer<typeof OrgId>;
export const PersonId = z.guid().brand<'PersonId'>();
export type PersonId = z.infer<typeof PersonId>;
export const IdentifierId = z.guid().brand<'IdentifierId'>();
export type IdentifierId = z.infer<typeof IdentifierId>;
export const PropertyConfigId = z.guid().brand<'PropertyConfigId'>();
export type PropertyConfigId = z.infer<typeof PropertyConfigId>;

const bytes = Buffer.alloc(16);
let lastMillisecond = -1;
let sequence = 0;

/** A UUIDv7: ids made one after another by a process sort in that order, also within a millisecond. */
export function newId<Id extends string = string>(now: Date): Id {
  randomFillSync(bytes);
  const millisecond = now.getTime();
  if (millisecond === lastMillisecond) sequence = (sequence + 1) & 0xfff;
  else sequence = bytes.readUInt16BE(6) & 0x7ff;
  lastMillisecond = millisecond;
  bytes.writeUIntBE(millisecond, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Id;
}
