import type { Keyring } from '../../../database/work.ts';
import { isSameText } from '../../../kernel/same-text.ts';

/**
 * The address to which mailbox providers send complaints. Their reports are unsigned, so the address is the proof: only
 * those who got it from the operator know it. 128 bits, in a local part whose case may be folded.
 */
export const feedbackAddress = (keys: Pick<Keyring, 'mac'>, host: string): string =>
  written(keys.mac(purpose, Buffer.from(host)), host);

export function isFeedbackAddress(keys: Pick<Keyring, 'macs'>, host: string, address: string): boolean {
  const given = address.toLowerCase();
  return keys.macs(purpose, Buffer.from(host)).some((mac) => isSameText(given, written(mac, host)));
}

const purpose = 'feedback address';
const written = (mac: Buffer, host: string): string => `fbl-${mac.toString('hex', 0, 16)}@${host}`;
