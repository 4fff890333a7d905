import { timingSafeEqual } from 'node:crypto';
import type { Keyring, Work } from '../../../database/work.ts';
import { OrgId } from '../../../kernel/ids.ts';

/** Whose calendar entry a link is: one person's of one webinar. */
export interface EntryOf {
  readonly org: OrgId;
  readonly webinar: string;
  readonly person: string;
}

const idLength = 16;
const macLength = 12;
const length = 3 * idLength + macLength;
const purpose = 'calendar file';

/** The address of a person's calendar file of a webinar. The file is current as of each download. */
export const calendarFileUrl = (
  { keys, mail, org }: Pick<Work, 'keys' | 'mail' | 'org'>,
  entry: Omit<EntryOf, 'org'>,
): string => `${mail.publicUrl}/c/${tokenFor(keys, { org, ...entry })}.ics`;

function tokenFor(keys: Pick<Keyring, 'mac'>, { org, webinar, person }: EntryOf): string {
  const body = Buffer.from([org, webinar, person].join('').replaceAll('-', ''), 'hex');
  return Buffer.concat([body, keys.mac(purpose, body).subarray(0, macLength)]).toString('base64url');
}

/** The person and webinar of a token; undefined if it was not made here. */
export function readCalendarToken(keys: Pick<Keyring, 'macs'>, token: string): EntryOf | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== length || bytes.toString('base64url') !== token) return undefined;
  const body = bytes.subarray(0, 3 * idLength);
  const mac = bytes.subarray(3 * idLength);
  if (!keys.macs(purpose, body).some((one) => timingSafeEqual(mac, one.subarray(0, macLength))))
    return undefined;
  const [org = '', webinar = '', person = ''] = [0, 1, 2].map((at) =>
    body
      .toString('hex', at * idLength, (at + 1) * idLength)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  );
  return { org: OrgId.parse(org), webinar, person };
}
