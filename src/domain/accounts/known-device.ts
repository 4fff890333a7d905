import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../database/work.ts';
import { isSameText } from '../../kernel/same-text.ts';
import type { AccountEmail } from './email.ts';

/**
 * Tells a browser that once signed in to an account from strangers, who are counted apart: however often they guess, the
 * owner's own browsers are not made to wait. It lets nobody in.
 */
export function knownDevice(keys: Keyring, email: AccountEmail): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${keys.mac('known device', dataOf(id, email)).toString('base64url')}`;
}

/** The id of the device, if it is known for this address. */
export function deviceOf(keys: Keyring, email: AccountEmail, device: string | undefined): string | undefined {
  const [id = '', mac = ''] = device?.split('.', 2) ?? [];
  const right = keys.macs('known device', dataOf(id, email)).map((one) => one.toString('base64url'));
  return right.some((one) => isSameText(mac, one)) ? id : undefined;
}

const dataOf = (id: string, email: AccountEmail): Buffer => Buffer.from(`${id}\0${email}`);
