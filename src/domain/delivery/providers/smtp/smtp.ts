import type { EmailProvider, HandOver, OutgoingEmail } from '../../outgoing/outgoing.ts';
import type { Budget } from '../keep-shares.ts';
import { receiverSlots } from './receiver-slots.ts';
import { signMessage } from './sign-message.ts';
import type { Message, SmtpServer } from './line.ts';
import { smtpLines, type Patience } from './lines.ts';
import { outcomeOf, wasStale } from './outcome.ts';
import { writeMessage } from './write-message.ts';

export interface SmtpOptions extends SmtpServer {
  /** Connections at a time, until a share of them is leased. */
  readonly connections: number;
  /** We sign; otherwise the server does. */
  readonly isSigned?: boolean;
  /** The time limit for one message, from signing to the last reply. */
  readonly giveUpMs?: number;
}

/**
 * Hands email to a server that delivers it (a smarthost). The calling lane keeps people locked meanwhile and counts as
 * dead after its lease, so no message takes longer than `giveUpMs`.
 */
export function smtpProvider({
  connections,
  isSigned = true,
  giveUpMs = 25_000,
  ...server
}: SmtpOptions): EmailProvider & { readonly budgets: readonly Budget[] } {
  const lines = smtpLines(server, connections);
  const receivers = receiverSlots();

  async function handOver(email: OutgoingEmail, patience: Patience): Promise<HandOver> {
    const message = await prepare(email, isSigned).catch((error: Error) => error);
    if (message instanceof Error) return { outcome: 'unreached', reply: `not made: ${message.message}` };
    const place = await receivers.take(message, patience.place);
    if (place === undefined) return { outcome: 'unreached', reply: 'too many wait for this receiver' };
    try {
      const { behind, pass: onHanded } = place;
      const tried = await lines.try(message, patience, { behind, onHanded });
      if (!wasStale(tried)) return outcomeOf(tried);
      // A kept connection that the server had closed is no answer, and nothing of the message was sent.
      await behind?.answered;
      return outcomeOf(await lines.try(message, patience, { isFresh: true, onHanded }));
    } finally {
      // Whoever passed the place on has it until its answer.
      if (place.behind === undefined) place.leave();
      else void place.behind.answered.then(place.leave);
    }
  }

  async function send(email: OutgoingEmail): Promise<HandOver> {
    const [place, answer] = [new AbortController(), new AbortController()];
    const timers = [
      setTimeout(() => place.abort(), giveUpMs / 2),
      setTimeout(() => answer.abort(), giveUpMs),
    ];
    try {
      return await handOver(email, { place: place.signal, answer: answer.signal });
    } finally {
      timers.forEach(clearTimeout);
    }
  }

  const underWay = new Set<Promise<HandOver>>();
  return {
    name: 'smtp',
    budgets: [
      {
        name: 'connections',
        total: connections,
        inUse: () => lines.open,
        resize: (to) => lines.resize(to),
      },
      ...receivers.budgets,
    ],
    send: (email) => {
      const sending = send(email).finally(() => underWay.delete(sending));
      underWay.add(sending);
      return sending;
    },
    close: async () => {
      await Promise.all(underWay);
      lines.close();
    },
  };
}

/** Throws for a key that does not sign. */
async function prepare(email: OutgoingEmail, isSigned: boolean): Promise<Message> {
  const written = writeMessage(email);
  return {
    org: email.org,
    isFew: email.isFew,
    onLeaving: email.onLeaving,
    ...written.envelope,
    data: isSigned
      ? await signMessage(written, email.dkim)
      : Buffer.from(`${written.header}\r\n${written.body}`),
  };
}
