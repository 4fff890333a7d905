import { createHash, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { answerQuestions } from '../support/forked.ts';
import { floorLetter, type Filled, type Letter } from './floor-letter.ts';

// The least that a correct sender can do in Node: a letter that is made once and filled in, one write and about one
// read for each message, because the end of one and the envelope of the next go together (RFC 2920), and signatures
// on the threads that Node has for them.

interface Setting {
  readonly port: number;
  readonly connections: number;
  readonly sample: string;
  readonly pem: string;
  readonly signs: boolean;
}

interface Ready extends Filled {
  readonly signature: string;
}

let setting: Setting & { readonly letter: Letter; readonly key: KeyObject };
let stock: Promise<Ready>[] = [];
let running: Promise<unknown> = Promise.resolve();
let sockets: Promise<Socket>[] = [];
let stopped = true;
let number = 0;
let taken = 0;

async function prepare(): Promise<Ready> {
  const filled = setting.letter.fill(++number);
  return { ...filled, signature: setting.signs ? await signatureOf(filled) : '' };
}

function signatureOf({ body, signedFields }: Filled): Promise<string> {
  const start = setting.letter.signatureStart(createHash('sha256').update(body).digest('base64'));
  const text = `${signedFields}\r\n${start.relaxed}`;
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text), setting.key, (error, made) => {
      if (error === null) resolve(`${start.written}${made.toString('base64')}\r\n`);
      else reject(error);
    });
  });
}

/** A connection that has said hello. */
const greet = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(setting.port, '127.0.0.1').setNoDelay(true);
    socket.once('error', reject);
    const replies = repliesFrom(socket);
    void replies(1)
      .then(() => socket.write('EHLO floor\r\n'))
      .then(() => replies(1))
      .then(() => resolve(socket), reject);
  });

/** Waits for so many replies; none may be a refusal. */
function repliesFrom(socket: Socket): (count: number) => Promise<void> {
  let text = '';
  let wanted = 0;
  let done: (() => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const look = (): void => {
    for (let end = text.indexOf('\n'); wanted > 0 && end >= 0; end = text.indexOf('\n')) {
      if (text[3] === ' ') wanted--;
      if (text[0] !== '2' && text[0] !== '3') fail?.(new Error(text));
      text = text.slice(end + 1);
    }
    if (wanted === 0) done?.();
  };
  socket.removeAllListeners('data').on('data', (chunk) => {
    text += chunk.toString('latin1');
    look();
  });
  return (count) =>
    new Promise((resolve, reject) => {
      [wanted, done, fail] = [count, resolve, reject];
      look();
    });
}

const envelope = ({ from, to }: Ready): string => `MAIL FROM:<${from}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`;

async function work(socket: Socket): Promise<void> {
  const replies = repliesFrom(socket);
  const take = (): Promise<Ready> => {
    stock.push(prepare());
    return stock.shift()!;
  };
  let message: Ready | undefined = await take();
  socket.write(envelope(message));
  await replies(3);
  while (message !== undefined) {
    const next: Ready | undefined = stopped ? undefined : await take();
    socket.cork();
    socket.write(`${message.signature}${message.header}\r\n`);
    socket.write(message.body);
    socket.write(next === undefined ? '.\r\n' : `.\r\n${envelope(next)}`);
    socket.uncork();
    await replies(next === undefined ? 1 : 4);
    taken++;
    message = next;
  }
}

answerQuestions({
  open: (asked: Setting) => {
    setting = { ...asked, letter: floorLetter(asked.sample), key: createPrivateKey(asked.pem) };
  },
  go: () => {
    stopped = false;
    sockets = Array.from({ length: setting.connections }, greet);
    stock = Array.from({ length: 2 * setting.connections }, prepare);
    running = Promise.all(sockets.map(async (socket) => work(await socket)));
  },
  rest: async () => {
    stopped = true;
    await running;
    for (const socket of sockets.splice(0)) (await socket).end('QUIT\r\n');
    return taken;
  },
});
