import type { EmailProvider, HandOver, OutgoingEmail } from '../outgoing.ts';
import { receiverSlots } from './receiver-slots.ts';
import { signMessage } from './sign-message.ts';
import type { Message, SmtpServer } from './smtp-line.ts';
import { smtpLines, type Patience } from './smtp-lines.ts';
import { outcomeOf, wasStale } from './smtp-outcome.ts';
import { writeMessage } from './write-message.ts';

export interface SmtpOptions extends SmtpServer {
  /** How many at once. */
  readonly connections: number;
  /** After how long a message is let go of; all of it, from signing to the last reply. */
  readonly giveUpMs?: number;
}

/**
 * Hands email to a server that delivers it (a smarthost). Whoever asks holds people locked meanwhile and takes it for
 * dead after a time, so no message takes longer than is said here.
 */
export function smtpProvider({ connections, giveUpMs = 25_000, ...server }: SmtpOptions): EmailProvider {
  const lines = smtpLines(server, connections);
  const receivers = receiverSlots();

  async function handOver(email: OutgoingEmail, patience: Patience): Promise<HandOver> {
    const message = await prepare(email).catch((error: Error) => error);
    if (message instanceof Error) return { outcome: 'unreached', reply: `not made: ${message.message}` };
    const leave = await receivers.take(message.to, patience.place);
    if (leave === undefined) return { outcome: 'unreached', reply: 'too many wait for this receiver' };
    try {
      const tried = await lines.try(message, patience);
      // A connection the server had given up meanwhile is no answer, and nothing of the message went.
      return outcomeOf(wasStale(tried) ? await lines.try(message, patience, true) : tried);
    } finally {
      leave();
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
async function prepare(email: OutgoingEmail): Promise<Message> {
  const written = writeMessage(email);
  return { ...written.envelope, data: await signMessage(written, email.dkim) };
}
