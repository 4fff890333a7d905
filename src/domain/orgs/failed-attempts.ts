import { hash, randomBytes } from 'node:crypto';
import { networkOf } from './network-of.ts';

const windowMs = 60_000;
const places = 65_536;

export interface FailedAttempts {
  /** The seconds until this address may fail again; 0 if it may now. */
  waitOf(address: string, now: Date): number;
  add(address: string, now: Date): void;
}

/**
 * Counts failures by client and minute, in memory of fixed size. An address has a counter in each of two rows, at places
 * that a stranger cannot foresee, and has failed as often as the lower one says: it suffers from others only if it shares
 * both places with them.
 */
export function failedAttempts(perMinute: number): FailedAttempts {
  const key = randomBytes(32).toString('hex');
  const rows = [new Uint16Array(places), new Uint16Array(places)] as const;
  let minute = 0;

  const placesOf = (address: string): readonly [number, number] => {
    const digest = hash('sha256', key + networkOf(address), 'buffer');
    return [digest.readUInt16LE(0), digest.readUInt16LE(2)];
  };
  const turnTo = (now: Date): void => {
    const current = Math.floor(now.getTime() / windowMs);
    if (current === minute) return;
    minute = current;
    for (const row of rows) row.fill(0);
  };

  return {
    waitOf: (address, now) => {
      turnTo(now);
      const [first, second] = placesOf(address);
      if (Math.min(rows[0][first]!, rows[1][second]!) < perMinute) return 0;
      return Math.ceil(((minute + 1) * windowMs - now.getTime()) / 1000);
    },
    add: (address, now) => {
      turnTo(now);
      for (const [row, place] of placesOf(address).entries())
        rows[row]![place] = Math.min(rows[row]![place]! + 1, 65_535);
    },
  };
}
