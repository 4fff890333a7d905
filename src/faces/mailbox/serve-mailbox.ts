import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { readInbound } from '../../domain/delivery/inbound/read-inbound.ts';
import type { Clock } from '../../kernel/clock.ts';
import { errorKind } from '../../kernel/error-kind.ts';
import { newId } from '../../kernel/ids.ts';
import { mailboxOf, takeMail, type MailParts } from './take-mail.ts';

export interface MailboxOptions extends MailParts {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** With it, STARTTLS is offered. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** How long a connection may last: the idle limit alone lets a client stay for ever, a byte at a time. */
  readonly sessionMs?: number;
  readonly log: (level: 'info' | 'warn', fields: object, message: string) => void;
}

export interface Mailbox {
  readonly port: number;
  close(): Promise<void>;
}

const largestMail = 1024 * 1024;
const mostClients = 100;
const mostRecipients = 10;
const idleMs = 60_000;
const drainMs = 10_000;

/**
 * Accepts mail for the service's own addresses: bounces, complaints, copies of replies, unsubscribing. Acknowledges a
 * message after its effect is committed; until that is possible, the sending server is asked to keep it.
 */
export async function serveMailbox(options: MailboxOptions): Promise<Mailbox> {
  const { tls, sessionMs = 5 * 60_000, log } = options;
  let closing = false;
  const inHand = new Set<Promise<void>>();
  const clocks = new Map<string, NodeJS.Timeout>();
  const server = new SMTPServer({
    name: options.mail.returnPathHost,
    size: largestMail,
    rejectOversized: true,
    maxClients: mostClients,
    maxRecipients: mostRecipients,
    socketTimeout: idleMs,
    closeTimeout: drainMs,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', ...(tls === undefined ? ['STARTTLS'] : [])],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    logger: false, // it would log addresses
    ...tls,
    onConnect: (session, done) => {
      clocks.set(
        session.id,
        setTimeout(() => hangUp(session.id), sessionMs),
      );
      done();
    },
    onClose: ({ id }) => {
      clearTimeout(clocks.get(id));
      clocks.delete(id);
    },
    onMailFrom: (_address, _session, done) => done(closing ? refusal(421, 'Come back later') : null),
    onRcptTo: ({ address }, _session, done) =>
      done(mailboxOf(options, address) === undefined ? refusal(550, 'No such mailbox here') : null),
    onData: (stream, session, done) => {
      const work = answer(take(options, stream, session), done, log).finally(() => inHand.delete(work));
      inHand.add(work);
    },
  });
  const hangUp = (id: string): void => {
    for (const connection of server.connections) {
      if (connection.id === id) connection.send(421, 'This took too long');
    }
  };
  server.on('error', (error) => log('warn', { err: errorKind(error) }, 'the mailbox met trouble'));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: async () => {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(resolve));
      await Promise.race([Promise.allSettled(inHand), closed]);
      // Messages under way are finished; a client that only keeps its connection open is asked to come back.
      for (const connection of server.connections) connection.send(421, 'Come back later');
      await closed;
      for (const clock of clocks.values()) clearTimeout(clock);
    },
  };
}

async function take(
  options: MailboxOptions,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<void> {
  const now = options.clock.now();
  const raw = await collect(stream);
  if (raw === undefined) return; // the server refuses it for its size
  const inbound = await readInbound(raw);
  const fromNobody = envelope.mailFrom === false || envelope.mailFrom.address === '';
  for (const { address } of envelope.rcptTo) {
    const box = mailboxOf(options, address);
    if (box === undefined) continue;
    const requestId = newId(now);
    const taken = await takeMail(options, box, { inbound, fromNobody, now, requestId });
    options.log('info', { request_id: requestId, box: box.takes, ...taken }, 'mail');
  }
}

/** The whole message, or nothing when it is larger than any report; the rest of that is read and dropped. */
async function collect(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  let chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (stream.sizeExceeded) chunks = [];
    else chunks.push(chunk);
  }
  return stream.sizeExceeded ? undefined : Buffer.concat(chunks);
}

/** Any error is on our side: the sending server keeps the message and tries again. */
async function answer(
  taking: Promise<void>,
  done: (error: Error | null) => void,
  log: MailboxOptions['log'],
): Promise<void> {
  let trouble: Error | null = null;
  try {
    await taking;
  } catch (error) {
    log('warn', { err: errorKind(error) }, 'mail not taken');
    trouble = refusal(451, 'Not now, try again later');
  }
  done(trouble);
}

const refusal = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });
