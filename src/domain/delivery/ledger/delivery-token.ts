import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../../database/work.ts';
import { OrgId } from '../../../kernel/ids.ts';

/** The number of a test: no message in the ledger has it, so a report about a test matches nothing. */
export const noDelivery = 0;

/** What a token lets its bearer do. A token is valid for one purpose only. */
export type TokenPurpose =
  | 'bounce'
  | 'message'
  | 'open'
  | 'click'
  | 'unsubscribe'
  | 'unsubscribe_mail'
  | 'receipt';

/** One message of one organization and, for a click, one of its links. */
export interface TokenOf {
  readonly org: OrgId;
  readonly delivery: number;
  readonly link: number;
}

const idLength = 16;
const bodyLength = idLength + 8 + 2;
const macLength = 12; // 96 bits cannot be guessed, and a bounce address stays within 64 characters

/**
 * Names a message to the outside without revealing its content or recipient. Lower case letters and digits only,
 * because mail servers may fold the case of an address.
 */
export const tokenFor = (
  keys: Pick<Keyring, 'mac'>,
  purpose: TokenPurpose,
  { link = 0, ...message }: Omit<TokenOf, 'link'> & { link?: number },
): string => tokensOf(keys, message)(purpose, link);

/** Tokens of one message. It has eight, and what names it is written once for all. */
export function tokensOf(
  keys: Pick<Keyring, 'mac'>,
  { org, delivery }: Omit<TokenOf, 'link'>,
): (purpose: TokenPurpose, link?: number) => string {
  const body = Buffer.alloc(bodyLength);
  body.write(org.replaceAll('-', ''), 'hex');
  body.writeBigUInt64BE(BigInt(delivery), idLength);
  return (purpose, link = 0) => {
    body.writeUInt16BE(link, idLength + 8);
    return toBase36(body.toString('hex') + keys.mac(placeOf(purpose), body).toString('hex', 0, macLength));
  };
}

/** What a token stands for; undefined if it was not made here for this purpose. */
export function readToken(
  keys: Pick<Keyring, 'macs'>,
  purpose: TokenPurpose,
  token: string,
): TokenOf | undefined {
  const bytes = fromBase36(token.toLowerCase());
  if (bytes === undefined) return undefined;
  const body = bytes.subarray(0, bodyLength);
  const mac = bytes.subarray(bodyLength);
  const macs = keys.macs(placeOf(purpose), body);
  if (!macs.some((one) => timingSafeEqual(mac, one.subarray(0, macLength)))) return undefined;
  const hex = body.toString('hex', 0, idLength);
  const org = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return {
    org: OrgId.parse(org),
    delivery: Number(body.readBigUInt64BE(idLength)),
    link: body.readUInt16BE(idLength + 8),
  };
}

const placeOf = (purpose: TokenPurpose): string => `delivery ${purpose}`;

const length = bodyLength + macLength;
const digits = Math.ceil((length * 8) / Math.log2(36)); // 59

const toBase36 = (hex: string): string => BigInt(`0x${hex}`).toString(36).padStart(digits, '0');

function fromBase36(text: string): Buffer | undefined {
  if (text.length !== digits || !/^[0-9a-z]+$/.test(text)) return undefined;
  let value = 0n;
  for (let at = 0; at < digits; at += 10) {
    const part = text.slice(at, at + 10);
    value = value * 36n ** BigInt(part.length) + BigInt(Number.parseInt(part, 36));
  }
  const hex = value.toString(16).padStart(length * 2, '0');
  return hex.length === length * 2 ? Buffer.from(hex, 'hex') : undefined;
}
