import { domainOf } from '../domain-of.ts';
import { slots, type Slots } from '../../../kernel/slots.ts';

/**
 * The large receivers take few connections at a time, over all the domains they have. Who only lets them run a domain of
 * their own cannot be told from the address. How many messages go over one connection (50, 20, 100) cannot be kept to
 * either: the smarthost has the connections to them.
 */
const large: readonly (readonly [receiver: string, domains: RegExp])[] = [
  ['google', /^(gmail|googlemail)\.com$/],
  ['microsoft', /^((hotmail|outlook|live|windowslive)(\.[a-z]{2,3}){1,2}|msn\.com|passport\.com)$/],
  [
    'yahoo',
    /^(yahoo(\.[a-z]{2,3}){1,2}|(ymail|rocketmail|aol|aim|netscape|verizon|cox)\.(com|net)|att\.net|sbcglobal\.net|bellsouth\.net|sky\.com)$/,
  ],
];
const mostToLarge = 5;
const mostToOthers = 10;

/** Keeps the messages that are under way to one receiver at a time to what it bears. */
export function receiverSlots(): {
  take(address: string, signal: AbortSignal): Promise<(() => void) | undefined>;
} {
  const receivers = new Map<string, Slots>();
  return {
    /** How to give the place back; nothing, when the signal came first. */
    take: async (address, signal) => {
      const domain = domainOf(address);
      const family = large.find(([, domains]) => domains.test(domain))?.[0];
      const receiver = family ?? domain;
      const places = receivers.get(receiver) ?? slots(family === undefined ? mostToOthers : mostToLarge);
      receivers.set(receiver, places);
      if (!(await places.take(signal))) return undefined;
      return () => {
        places.free();
        if (places.unused) receivers.delete(receiver);
      };
    },
  };
}
