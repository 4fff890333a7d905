import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** `content` is the first line of a message, `message` its end. */
export type Stage =
  | 'greeting'
  | 'ehlo'
  | 'helo'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'content'
  | 'message'
  | 'rset'
  | 'quit';

/**
 * What the server does at a stage: says something, or one of the ways not to. `hang up` ends the connection, `break`
 * with a reset instead of a farewell, `keep silent` does nothing at all. To trickle is to say something a character at
 * a time, so that it never comes to an end and is never silent.
 */
export type Act = string | { readonly trickle: string };

export interface Session {
  /** Counted from 1. */
  readonly number: number;
  /** The recipient of the message at hand. */
  to: string;
  /** How many messages came in whole. */
  messages: number;
}

export interface SmtpScript {
  readonly port: number;
  /** Every message that came in whole, whatever was said to it then. */
  readonly received: { readonly from: string; readonly to: string; readonly data: string; said: string }[];
  /** What was asked for, over all connections. */
  readonly commands: string[];
  readonly connections: number;
  /** Hangs up on everybody. */
  drop(): void;
  close(): Promise<void>;
}

const usual: Readonly<Record<Stage, string>> = {
  greeting: '220 script.test ESMTP',
  ehlo: '250-script.test\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES',
  helo: '250 script.test',
  auth: '235 2.7.0 Welcome',
  mail: '250 2.1.0 Ok',
  rcpt: '250 2.1.5 Ok',
  data: '354 Go ahead',
  content: '',
  message: '250 2.0.0 Ok: queued',
  rset: '250 2.0.0 Ok',
  quit: '221 2.0.0 Bye',
};

export const withoutPipelining = '250-script.test\r\n250 ENHANCEDSTATUSCODES';

/** A mail server that does at every stage what it is told to, and the usual thing where it is told nothing. */
export async function startSmtpScript(
  act: (stage: Stage, session: Session) => Act | undefined | Promise<Act | undefined> = () => undefined,
): Promise<SmtpScript> {
  const received: SmtpScript['received'] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    const session: Session = { number: ++connections, to: '', messages: 0 };
    void serve(socket, session, { act, received, commands });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    received,
    commands,
    get connections() {
      return connections;
    },
    drop,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}

interface Serving extends Pick<SmtpScript, 'received' | 'commands'> {
  readonly act: NonNullable<Parameters<typeof startSmtpScript>[0]>;
}

async function serve(socket: Socket, session: Session, { act, received, commands }: Serving): Promise<void> {
  let from = '';
  let content: string[] | undefined;
  let isWelcome = false;
  const at = async (stage: Stage): Promise<string> => {
    const otherwise = stage === 'data' && !isWelcome ? '554 5.5.1 No valid recipients' : usual[stage];
    const what = (await act(stage, session)) ?? otherwise;
    if (typeof what === 'object') trickle(socket, what.trickle);
    else if (what === 'hang up') socket.end();
    else if (what === 'break') socket.resetAndDestroy();
    else if (what !== 'keep silent') {
      if (what !== '') socket.write(`${what}\r\n`);
      return what;
    }
    await once(socket, 'close').catch(() => undefined); // there is nothing more to say, and the other may break it off
    return '';
  };
  await at('greeting');
  for await (const line of linesOf(socket)) {
    if (content === undefined) {
      commands.push(line);
      const verb = line.split(/[ :]/)[0]!.toLowerCase();
      if (verb === 'mail') from = /<(.*)>/.exec(line)?.[1] ?? '';
      if (verb === 'rcpt') session.to = /<(.*)>/.exec(line)?.[1] ?? '';
      const said = await at(verb as Stage);
      if (verb === 'mail' || verb === 'rcpt') isWelcome = said.startsWith('2');
      if (verb === 'data' && said.startsWith('354')) content = [];
      if (verb === 'quit') socket.end();
    } else if (line === '.') {
      const message = { from, to: session.to, data: `${content.join('\r\n')}\r\n`, said: '' };
      content = undefined;
      session.messages++;
      received.push(message);
      message.said = await at('message');
    } else {
      if (content.length === 0) await at('content');
      content.push(line.startsWith('.') ? line.slice(1) : line);
    }
  }
}

async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of socket) {
      const lines = (rest + (chunk as Buffer).toString('latin1')).split('\r\n');
      rest = lines.pop()!;
      yield* lines;
    }
  } catch {
    // the other side broke the connection
  }
}

function trickle(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length]!), 20);
  socket.once('close', () => clearInterval(timer));
}
