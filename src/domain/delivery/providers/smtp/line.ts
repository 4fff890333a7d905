import type { Reply, Wire } from './wire.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `always`: from the first byte. `required`: by STARTTLS. `offered`: by STARTTLS if the server has it. */
  readonly tls: 'always' | 'required' | 'offered' | 'off';
  readonly login?: { readonly user: string; readonly pass: string } | undefined;
  /** The name in our greeting; by default that of this machine. */
  readonly name?: string | undefined;
}

export interface Message {
  readonly org: string;
  readonly isFew?: boolean | undefined;
  readonly from: string;
  readonly to: string;
  readonly data: Buffer;
  readonly onLeaving?: (() => void) | undefined;
}

/** The result of one try: the server's reply to the whole message, or the error and the stage it came at. */
export type Tried =
  | { readonly reply: string }
  | {
      readonly error: SmtpError;
      /** `message`: at least one byte of it may have been sent. At earlier stages none was. */
      readonly stage: 'connecting' | 'envelope' | 'message';
      /** The connection had been used before and may have gone stale. */
      readonly reused: boolean;
    };

export interface SmtpError extends Error {
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
}

export const errorOf = ({ code, text }: Reply): SmtpError =>
  Object.assign(new Error(text), { response: text, responseCode: code });

/** One connection. The envelope of a message may be sent while the one ahead of it waits for its answer (RFC 2920). */
export interface Line {
  readonly wire: Wire;
  readonly supports: { readonly pipelining: boolean; readonly utf8: boolean };
  messages: number;
  /** The answer that the message ahead waits for. */
  ahead: Promise<Reply> | undefined;
  /** The last message was answered soon, so that the next may be sent after one that is not answered yet. */
  isQuick: boolean;
  /** It ends with the message that waits for its answer. */
  isSpoiled: boolean;
  /** Its last message was refused: the next one begins with a reset. */
  isStained: boolean;
}

export const isUsable = ({ wire, isSpoiled }: Line): boolean => wire.isOpen && !isSpoiled;

const quickMs = 250;
const behindMs = 1_000;
const endOfMessage = '.\r\n';

/**
 * Hands one message over; `onHanded` hears when all of it is written. An abort closes the connection, so that nothing is
 * sent later, unless the message ahead waits there for its answer: then the connection ends with that.
 */
export function sendOver(
  line: Line,
  message: Message,
  signal: AbortSignal,
  onHanded: () => void = () => undefined,
): Promise<Tried> {
  const { promise, resolve } = Promise.withResolvers<Tried>();
  const reused = line.messages++ > 0;
  const { ahead } = line;
  let stage: 'envelope' | 'message' = 'envelope';
  const giveUp = (error: Error, mayTryAnother: boolean): void => {
    resolve({ error, stage, reused: mayTryAnother && reused });
    if (stage === 'envelope' && line.ahead !== undefined) line.isSpoiled = true;
    else line.wire.close(error);
  };
  const stop = (): void => giveUp(new Error('no answer in time'), false);
  const isBehind = (): void => giveUp(new Error('the message ahead is not answered'), true);
  const late = ahead === undefined ? undefined : setTimeout(isBehind, behindMs);
  const inTime = (): void => clearTimeout(late);
  void ahead?.then(inTime, inTime);
  signal.addEventListener('abort', stop, { once: true });
  const converse = async (): Promise<Tried> => {
    await sendEnvelope(line, message);
    // Whoever gave up must not be sent.
    if (line.isSpoiled || signal.aborted) throw new Error('given up');
    try {
      message.onLeaving?.();
    } catch (error) {
      line.wire.close(); // the server waits for the message
      throw error;
    }
    stage = 'message';
    const began = performance.now();
    line.wire.write(stuffed(message.data), endOfMessage);
    const answer = line.wire.reply();
    line.ahead = answer;
    onHanded();
    const reply = await answer.finally(() => {
      if (line.ahead === answer) line.ahead = undefined;
      if (line.isSpoiled) line.wire.close();
    });
    line.isQuick = performance.now() - began < quickMs;
    if (isGood(reply)) return { reply: reply.text };
    line.isStained = true;
    throw errorOf(reply);
  };
  converse()
    .catch((error: SmtpError): Tried => ({ error, stage, reused }))
    .then(resolve, () => undefined)
    .finally(() => {
      signal.removeEventListener('abort', stop);
      inTime();
    });
  if (signal.aborted) stop();
  return promise;
}

/** Resolves when the server asks for the message, and rejects with the first reply that is no yes. */
async function sendEnvelope(line: Line, { from, to }: Message): Promise<void> {
  const { wire, supports } = line;
  if (/[\r\n<>]/.test(from + to)) throw new Error('an address must not hold a command');
  const isPlain = /^[\0-\x7F]*$/.test(from + to);
  if (!isPlain && !supports.utf8) throw new Error('the server does not take an address beyond ASCII');
  const mail = [`MAIL FROM:<${from}>${isPlain ? '' : ' SMTPUTF8'}`, `RCPT TO:<${to}>`, 'DATA'];
  const commands = line.isStained ? ['RSET', ...mail] : mail;
  line.isStained = false;
  if (supports.pipelining) wire.write(`${commands.join('\r\n')}\r\n`);
  const replies = supports.pipelining ? commands.map(() => wire.reply()) : [];
  for (const [place, command] of commands.entries()) {
    if (!supports.pipelining) wire.write(`${command}\r\n`);
    const reply = await (replies[place] ?? wire.reply());
    if (command === 'DATA' ? reply.code === 354 : isGood(reply)) continue;
    if (command === 'RSET') wire.close(new Error('the connection cannot start over'));
    line.isStained = true;
    // A server that wants the message of nobody it takes would wait for it.
    void replies.at(-1)?.then(
      ({ code }) => code === 354 && wire.close(),
      () => undefined,
    );
    throw command === 'RSET' ? new Error(reply.text) : errorOf(reply);
  }
}

const isGood = ({ code }: Reply): boolean => code >= 200 && code < 300;

/** RFC 5321, 4.5.2: a line that begins with a dot gets another. */
const stuffed = (data: Buffer): Buffer =>
  data.includes('\r\n.')
    ? Buffer.from(data.toString('latin1').replaceAll('\r\n.', '\r\n..'), 'latin1')
    : data;

export function quit({ wire }: Line): void {
  wire.write('QUIT\r\n');
  const close = (): void => wire.close();
  void wire.reply().then(close, close);
}
