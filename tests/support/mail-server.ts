import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A message as the mail server took it. Moments are of performance.now(), as are those of whoever compares. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly body: string;
  /** All of it, as it came. */
  readonly raw: Buffer;
  /** When its recipient was named. */
  readonly began: number;
  /** When it was taken: the answer goes out after this. */
  readonly ended: number;
}

export interface Refusal {
  readonly code: number;
  readonly text: string;
}

export interface MailServer {
  readonly url: string;
  /** Everything it took, in order. */
  readonly mails: Mail[];
  /** Whoever was named as a recipient, taken or not, as often as that happened. */
  readonly tries: { readonly to: string; readonly at: number }[];
  /** What it says to a recipient instead of taking the message. */
  refuse: (to: string) => Refusal | undefined;
  /** How long it thinks before it takes a message. */
  thinkMs: (to: string) => number;
  /** What it waits for before it thinks. */
  hold: (to: string) => Promise<unknown> | undefined;
  close(): Promise<void>;
}

const headerOf = (message: string, name: string): string =>
  new RegExp(`^${name}: *(.*)$`, 'im').exec(message)?.[1]?.trim() ?? '';

/** A mail server that takes everything, and can be told to be slow or to refuse. */
export async function startMailServer(): Promise<MailServer> {
  const began = new WeakMap<object, number>();
  const state: Pick<MailServer, 'mails' | 'tries' | 'refuse' | 'thinkMs' | 'hold'> = {
    mails: [],
    tries: [],
    refuse: () => undefined,
    thinkMs: () => 0,
    hold: () => undefined,
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onRcptTo: ({ address }, session, done) => {
      const at = performance.now();
      began.set(session.envelope, at);
      state.tries.push({ to: address, at });
      const refusal = state.refuse(address);
      done(
        refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code }),
      );
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo[0]?.address ?? '';
        const take = (): void => {
          const raw = Buffer.concat(chunks);
          const message = raw.toString();
          state.mails.push({
            to,
            subject: headerOf(message, 'Subject'),
            messageId: headerOf(message, 'Message-ID'),
            body: message.slice(message.indexOf('\r\n\r\n')),
            raw,
            began: began.get(envelope) ?? 0,
            ended: performance.now(),
          });
          done();
        };
        const held = state.hold(to);
        if (held === undefined) setTimeout(take, state.thinkMs(to));
        else void held.then(() => setTimeout(take, state.thinkMs(to)));
      });
    },
  });
  server.on('error', () => undefined); // a client that hangs up is its own affair
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  });
}
