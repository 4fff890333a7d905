import type { Keyring } from '../../database/work.ts';
import { isSameText } from '../../kernel/same-text.ts';

/**
 * Where mailbox providers send complaints to. Their reports carry no signature, so the address is the proof: whoever
 * knows it was told it by the operator. 128 bits, in a local part that may be folded.
 */
export const feedbackAddress = (keys: Pick<Keyring, 'mac'>, host: string): string =>
  written(keys.mac(purpose, Buffer.from(host)), host);

export function isFeedbackAddress(keys: Pick<Keyring, 'macs'>, host: string, address: string): boolean {
  const given = address.toLowerCase();
  return keys.macs(purpose, Buffer.from(host)).some((mac) => isSameText(given, written(mac, host)));
}

const purpose = 'feedback address';
const written = (mac: Buffer, host: string): string => `fbl-${mac.toString('hex', 0, 16)}@${host}`;
