import { domainOf } from '../../ledger/domain-of.ts';
import type { Budget } from '../keep-shares.ts';
import type { Message } from './line.ts';
import { byMessagesSent, type Ahead } from './lines.ts';
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

/** A message's place at its receiver. */
interface ReceiverPlace {
  /** It was passed on by a message that is not answered yet. */
  readonly behind: Ahead | undefined;
  /** Lets whoever waits for this receiver go behind the message, with its place. */
  readonly pass: (ahead: Ahead) => void;
  /** Frees the place, unless it was passed on. */
  readonly leave: () => void;
}

/** Limits how many messages are under way to one receiver at a time; organizations share these. */
export function receiverSlots(): {
  /** Resolves to undefined if the signal comes first. */
  take(
    { org, to, isFew }: Pick<Message, 'org' | 'to' | 'isFew'>,
    signal: AbortSignal,
  ): Promise<ReceiverPlace | undefined>;
  /** The large receivers' budgets. */
  readonly budgets: readonly Budget[];
} {
  const receivers = new Map<string, Receiver>();
  const ofLarge = new Map(large.map(([receiver]) => [receiver, newReceiver(mostToLarge)]));
  return {
    budgets: [...ofLarge].map(([name, { places, resize }]) => ({
      name,
      total: mostToLarge,
      inUse: () => places.taken,
      resize,
    })),
    take: async ({ org, to, isFew }, signal) => {
      const domain = domainOf(to);
      const name = largeOf(domain) ?? domain;
      const receiver = ofLarge.get(name) ?? receivers.get(name) ?? newReceiver(mostToOthers);
      if (!ofLarge.has(name)) receivers.set(name, receiver);
      const { places, served } = receiver;
      const before = places.taken;
      const taking = places.take(org, signal, isFew === true ? 'short' : 'long');
      const waited = places.taken === before;
      if (!(await taking)) return undefined;
      let hasPlace = true;
      return {
        behind: waited ? served.shift() : undefined,
        pass: (ahead) => {
          if (!hasPlace || places.waiting === 0) return;
          hasPlace = false;
          receiver.free(org, ahead);
        },
        leave: () => {
          if (hasPlace) receiver.free(org);
          hasPlace = false;
          if (places.unused && ofLarge.get(name) !== receiver) receivers.delete(name);
        },
      };
    },
  };
}

interface Receiver {
  readonly places: Slots;
  /** Behind which message each goes who waited and was served, in order; as a rule behind none. */
  readonly served: (Ahead | undefined)[];
  readonly free: (org: string, ahead?: Ahead) => void;
  readonly resize: (to: number) => void;
}

function newReceiver(most: number): Receiver {
  const places = slots(most, byMessagesSent);
  const served: (Ahead | undefined)[] = [];
  return {
    places,
    served,
    free: (org, ahead) => {
      const { waiting } = places;
      places.free(org);
      if (places.waiting < waiting) served.push(ahead);
    },
    resize: (to) => {
      const { waiting } = places;
      places.resize(to);
      for (let left = waiting - places.waiting; left > 0; left--) served.push(undefined);
    },
  };
}
