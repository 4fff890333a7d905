import { createHmac } from 'node:crypto';
import { connect, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { errorOf, type Line, type SmtpServer } from './line.ts';
import { wireOver, type Reply, type Wire } from './wire.ts';

const connectMs = 8_000; // all of it: looking up the name, connecting, the greeting, TLS
const silenceMs = 15_000;

/** Connects, greets, encrypts and logs in. Rejects with what went wrong. */
export async function openLine(server: SmtpServer, signal: AbortSignal): Promise<Line> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
  let wire: Wire | undefined;
  const stop = (): void => wire?.close(new Error('no connection in time'));
  limit.addEventListener('abort', stop);
  try {
    wire = wireOver(await connected(server, limit), silenceMs);
    must(await wire.reply(), 220);
    let offers = await greet(server, wire);
    if (
      server.tls !== 'always' &&
      server.tls !== 'off' &&
      (offers.has('STARTTLS') || server.tls === 'required')
    ) {
      wire = await encrypt(server, wire, limit);
      offers = await greet(server, wire);
    }
    if (server.login !== undefined && offers.has('AUTH'))
      await logIn(wire, server.login, offers.get('AUTH')!);
    const supports = { pipelining: offers.has('PIPELINING'), utf8: offers.has('SMTPUTF8') };
    return {
      wire,
      supports,
      messages: 0,
      ahead: undefined,
      isQuick: false,
      isSpoiled: false,
      isStained: false,
    };
  } catch (error) {
    wire?.close();
    throw limit.aborted ? new Error('no connection in time') : error;
  } finally {
    limit.removeEventListener('abort', stop);
  }
}

const connected = ({ host, port, tls }: SmtpServer, limit: AbortSignal): Promise<Socket> =>
  settled(
    tls === 'always' ? connectTls({ host, port, ...nameFor(host) }) : connect({ host, port }),
    tls === 'always' ? 'secureConnect' : 'connect',
    limit,
  );

/** Resolves to the socket at its event, or rejects with why it does not come. */
const settled = (socket: Socket, event: string, limit: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const stop = (): void => void socket.destroy(new Error('no connection in time'));
    const end = (settle: () => void): void => {
      limit.removeEventListener('abort', stop);
      socket.off('error', fail).off('close', hangUp);
      settle();
    };
    const fail = (error: Error & { code?: string }): void =>
      end(() => {
        socket.on('error', () => undefined);
        reject(error.message === '' ? new Error(error.code) : error);
      });
    const hangUp = (): void => fail(new Error('the server hung up'));
    limit.addEventListener('abort', stop);
    socket.setNoDelay(true).once('error', fail).once('close', hangUp);
    socket.once(event, () => end(() => resolve(socket)));
    if (limit.aborted) stop();
  });

const nameFor = (host: string) => (isIP(host) === 0 ? { servername: host } : {});

/** Whatever is said before the encryption begins counts for nothing after it. */
async function encrypt({ host }: SmtpServer, wire: Wire, limit: AbortSignal): Promise<Wire> {
  must(await ask(wire, 'STARTTLS'), 220);
  if (!wire.isClean) throw new Error('the server spoke before it encrypted');
  wire.handOn();
  const socket = connectTls({ socket: wire.socket, host, ...nameFor(host) });
  return wireOver(await settled(socket, 'secureConnect', limit), silenceMs);
}

/** What the server offers, by name. One that has no EHLO is asked for HELO and offers nothing but to log in. */
async function greet({ name = ownName(), tls }: SmtpServer, wire: Wire): Promise<Map<string, string>> {
  const said = await ask(wire, `EHLO ${name}`);
  if (said.code >= 400 && said.code !== 421 && tls !== 'required') {
    must(await ask(wire, `HELO ${name}`), 250);
    return new Map([['AUTH', 'PLAIN']]);
  }
  const offers = must(said, 250)
    .text.split(/\r?\n/)
    .slice(1)
    .map((line): [string, string] => {
      const [word = '', ...rest] = line.slice(4).trim().toUpperCase().split(/[ =]+/);
      return [word, rest.join(' ')];
    });
  return new Map(offers);
}

const ownName = (): string => (hostname().includes('.') ? hostname() : '[127.0.0.1]');

async function logIn(
  wire: Wire,
  { user, pass }: NonNullable<SmtpServer['login']>,
  methods: string,
): Promise<void> {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const offered = methods.split(' ');
  if (offered.includes('PLAIN') || !offered.some((one) => one === 'LOGIN' || one === 'CRAM-MD5')) {
    must(await ask(wire, `AUTH PLAIN ${encoded(`\0${user}\0${pass}`)}`), 235);
  } else if (offered.includes('LOGIN')) {
    must(await ask(wire, 'AUTH LOGIN'), 334);
    must(await ask(wire, encoded(user)), 334);
    must(await ask(wire, encoded(pass)), 235);
  } else {
    const challenge = Buffer.from(must(await ask(wire, 'AUTH CRAM-MD5'), 334).text.slice(4), 'base64');
    const proof = createHmac('md5', pass).update(challenge).digest('hex');
    must(await ask(wire, encoded(`${user} ${proof}`)), 235);
  }
}

function ask(wire: Wire, command: string): Promise<Reply> {
  wire.write(`${command}\r\n`);
  return wire.reply();
}

function must(reply: Reply, code: number): Reply {
  if (reply.code !== code) throw errorOf(reply);
  return reply;
}
