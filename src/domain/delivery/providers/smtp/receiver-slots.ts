import { domainOf } from '../../ledger/domain-of.ts';
import type { Budget } from '../keep-shares.ts';
import type { Message } from './line.ts';
import { byMessagesSent } from './lines.ts';
import { slots, type Slots } from '../../../../kernel/slots.ts';

/**
 * Large receivers accept few connections at a time, over all their domains. An address does not show whether they host
 * a customer's domain. Their limits of messages per connection (50, 20, 100) cannot be kept here: the smarthost owns
 * those connections.
 */
const large: readonly (readonly [receiver: string, domains: RegExp])[] = [
  ['google', /^(gmail|googlemail)\.com$/],
  ['microsoft', /^((hotmail|outlook|live|windowslive)(\.[a-z]{2,3}){1,2}|msn\.com|passport\.com)$/],
  [
    'yahoo',
    /^(yahoo(\.[a-z]{2,3}){1,2}|(ymail|rocketmail|aol|aim|netscape|verizon|cox)\.(com|net)|att\.net|sbcglobal\.net|bellsouth\.net|sky\.com)$/,
  ],
];
/** The receiver of a domain, if it is a large one. */
const largeOf = (domain: string): string | undefined =>
  large.find(([, domains]) => domains.test(domain))?.[0];

/** How many of the domains are of each large receiver, and of all others. */
export function countByReceiver(domains: readonly string[]): Record<string, number> {
  const counts = Object.fromEntries([...large.map(([receiver]) => [receiver, 0]), ['other', 0]]);
  for (const domain of domains) counts[largeOf(domain) ?? 'other']! += 1;
  return counts;
}

const mostToLarge = 5;
const mostToOthers = 10;

/** Limits how many messages are under way to one receiver at a time; organizations share these. */
export function receiverSlots(): {
  take(
    { org, to, isFew }: Pick<Message, 'org' | 'to' | 'isFew'>,
    signal: AbortSignal,
  ): Promise<(() => void) | undefined>;
  /** The large receivers' budgets. */
  readonly budgets: readonly Budget[];
} {
  const receivers = new Map<string, Slots>();
  const ofLarge = new Map(large.map(([receiver]) => [receiver, slots(mostToLarge, byMessagesSent)]));
  return {
    budgets: [...ofLarge].map(([name, places]) => ({
      name,
      total: mostToLarge,
      inUse: () => places.taken,
      resize: (to) => places.resize(to),
    })),
    /** Resolves to a function that frees the place; undefined if the signal comes first. */
    take: async ({ org, to, isFew }, signal) => {
      const domain = domainOf(to);
      const family = largeOf(domain);
      const receiver = family ?? domain;
      const places = ofLarge.get(receiver) ?? receivers.get(receiver) ?? slots(mostToOthers, byMessagesSent);
      if (family === undefined) receivers.set(receiver, places);
      if (!(await places.take(org, signal, isFew === true ? 'short' : 'long'))) return undefined;
      return () => {
        places.free(org);
        if (places.unused) receivers.delete(receiver);
      };
    },
  };
}
