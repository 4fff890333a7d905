import { createServer, type AddressInfo, type Socket } from 'node:net';
import { answerQuestions } from './forked.ts';

// A mail server that takes everything and keeps nothing but counts, as cheaply as can be: it shares the machine with
// what is measured.

const replies: Readonly<Record<string, string>> = {
  EHLO: '250-sink\r\n250-PIPELINING\r\n250-SIZE 26214400\r\n250 ENHANCEDSTATUSCODES\r\n',
  HELO: '250 sink\r\n',
  MAIL: '250 2.1.0 Ok\r\n',
  RCPT: '250 2.1.5 Ok\r\n',
  DATA: '354 Go on\r\n',
  RSET: '250 2.0.0 Ok\r\n',
  NOOP: '250 2.0.0 Ok\r\n',
  QUIT: '221 2.0.0 Bye\r\n',
};
const endOfMessage = Buffer.from('\r\n.\r\n');

let messages = 0;
let bytes = 0;
let connections = 0;
let sample = '';
let thinkMs = 0;
let marked: Marked & { readonly text: Buffer };
const watches = new Set<() => void>();

function converse(socket: Socket): void {
  connections += 1;
  socket.setNoDelay(true);
  let command = '';
  let inMessage = false;
  let message: Buffer = Buffer.alloc(0);

  const reply = (text: string, after: () => void = () => undefined): void => {
    const write = (): void => {
      socket.write(text);
      after();
    };
    if (thinkMs === 0) write();
    else setTimeout(write, thinkMs);
  };
  const readCommands = (chunk: Buffer): void => {
    command += chunk.toString('latin1');
    for (let end = command.indexOf('\r\n'); end >= 0 && !inMessage; end = command.indexOf('\r\n')) {
      const verb = command.slice(0, 4).toUpperCase();
      command = command.slice(end + 2);
      reply(replies[verb] ?? '502 5.5.1 What?\r\n', () => verb === 'QUIT' && socket.end());
      inMessage = verb === 'DATA';
    }
    if (!inMessage || command === '') return;
    const early = Buffer.from(command, 'latin1');
    command = '';
    readMessage(early);
  };
  const readMessage = (chunk: Buffer): void => {
    message = message.length === 0 ? chunk : Buffer.concat([message, chunk]);
    const end = message.indexOf(endOfMessage);
    if (end < 0) return;
    const rest = message.subarray(end + endOfMessage.length);
    if (sample === '') sample = message.toString('latin1', 0, end + 2);
    // What comes behind it may be the envelope of another's message.
    const isMarked = message.subarray(0, end).includes(marked.text);
    bytes += end + endOfMessage.length;
    message = Buffer.alloc(0);
    inMessage = false;
    reply('250 2.0.0 Ok: queued\r\n', () => taken(isMarked));
    if (rest.length > 0) readCommands(rest);
  };
  socket.on('data', (chunk) => (inMessage ? readMessage(chunk) : readCommands(chunk)));
  socket.on('error', () => socket.destroy());
  reply('220 sink ESMTP\r\n');
}

/** Messages that hold a certain text, since that was asked for. */
export interface Marked {
  count: number;
  /** When the first and the last were accepted, in real time. */
  first: number;
  last: number;
  /** Messages without the text that were accepted before the last with it. */
  others: number;
  without: number;
}

const mark = ({ text }: { text: string }): void => {
  marked = { text: Buffer.from(text), count: 0, first: 0, last: 0, others: 0, without: 0 };
};
mark({ text: 'nothing is marked' });

function taken(isMarked: boolean): void {
  messages += 1;
  if (isMarked) {
    marked.last = Date.now();
    if (marked.count++ === 0) marked.first = marked.last;
    marked.others = marked.without;
  } else marked.without++;
  for (const look of watches) look();
}

export interface Watched {
  readonly messages: number;
  readonly bytes: number;
  readonly ms: number;
}

/** How long so many messages took, not counting the first few; cut short after `atMostMs`. */
const watch = ({
  skip,
  count,
  atMostMs,
}: {
  skip: number;
  count: number;
  atMostMs: number;
}): Promise<Watched> =>
  new Promise((resolve) => {
    const first = messages + skip;
    let from: Watched | undefined;
    const sofar = (): Watched => ({ messages, bytes, ms: performance.now() });
    const look = (): void => {
      if (from === undefined && messages >= first) from = sofar();
      if (messages >= first + count) done();
    };
    const done = (): void => {
      clearTimeout(late);
      watches.delete(look);
      const to = sofar();
      const { messages: m, bytes: b, ms } = from ?? to;
      resolve({ messages: to.messages - m, bytes: to.bytes - b, ms: to.ms - ms });
    };
    const late = setTimeout(done, atMostMs);
    watches.add(look);
  });

const server = createServer(converse);
answerQuestions({
  listen: () =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    }),
  state: () => ({ messages, bytes, connections, sample }),
  watch,
  think: ({ ms }: { ms: number }) => void (thinkMs = ms),
  mark,
  marked: () => ({ ...marked, text: undefined }),
});
