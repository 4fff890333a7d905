import { hash, randomBytes } from 'node:crypto';
import { OrgId } from '../../kernel/ids.ts';

/** What a client is handed: a code for the first tokens, a token for calls, one for the next pair of tokens. */
const prefixes = { code: 'rc', access: 'ra', refresh: 'rr' };
type Kind = keyof typeof prefixes;

/** What the database keeps of any of them. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

export const newAccessToken = (secret: Buffer = randomBytes(32)): string =>
  `${prefixes.access}_${secret.toString('base64url')}`;

export const isAccessToken = (text: string): boolean => /^ra_[\w-]{43}$/.test(text);

/** Of which family of tokens something is, in which organization. */
export interface FamilyRef {
  readonly org: OrgId;
  readonly family: string;
}

/** Names its family, so that one that was used before is known for what it is. */
export const newFamilyToken = (
  kind: 'code' | 'refresh',
  { org, family }: FamilyRef,
  secret: Buffer = randomBytes(32),
): string =>
  `${prefixes[kind]}_${Buffer.concat([bytesOf(org), bytesOf(family), secret]).toString('base64url')}`;

export function familyOf(kind: Kind, token: string): FamilyRef | undefined {
  const [, text] = /^(?:rc|rr)_([\w-]{86})$/.exec(token) ?? [];
  if (text === undefined || !token.startsWith(prefixes[kind])) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return { org: OrgId.parse(uuidOf(bytes.subarray(0, 16))), family: uuidOf(bytes.subarray(16, 32)) };
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
