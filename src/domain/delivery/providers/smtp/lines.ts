import {
  openLine,
  resets,
  sendOver,
  type Line,
  type Message,
  type SmtpError,
  type SmtpServer,
  type Tried,
} from './line.ts';
import { slots } from '../../../../kernel/slots.ts';

/**
 * When to stop waiting. The limit for a place comes well before that for the answer: a place without time is useless.
 */
export interface Patience {
  readonly place: AbortSignal;
  readonly answer: AbortSignal;
}

const idleMs = 10_000; // some servers hang up after little more
const mostMessages = 100;
/**
 * How organizations share: what they sent of late counts, and messages of a few go as if their organization had sent a
 * window less. So a broadcast to a few is done before those to many that began with it have had their first share.
 */
export const byMessagesSent = { remember: 500, ahead: 64 };

/**
 * Connections to one server, kept open between messages and shared by the organizations that send. They are nodemailer's, but its pool is not used: it requeues a
 * message by itself, loses the server's reply when the server hangs up, and cannot abandon one slow message, so that it
 * would be unknown whether that was handed over.
 */
export function smtpLines(server: SmtpServer, most: number) {
  const places = slots(most, byMessagesSent);
  const idle = new Map<Line, NodeJS.Timeout>();

  /** Hands a message over on one connection, once; `fresh` opens a new one. */
  async function tryOnce(message: Message, { place, answer }: Patience, fresh = false): Promise<Tried> {
    if (!(await places.take(message.org, place, message.isFew === true ? 'short' : 'long')))
      return notConnected(new Error('no connection became free in time'));
    let line: Line;
    try {
      const kept = takeIdle();
      if (fresh) kept?.connection.quit(); // so that there are no more connections than places
      line = (fresh ? undefined : kept) ?? (await openLine(server, answer));
    } catch (error) {
      places.free(message.org);
      return notConnected(error as SmtpError);
    }
    const tried = await sendOver(line, message, answer).catch(noneKnows);
    void keep(line, tried).finally(() => places.free(message.org)); // the caller does not wait for this
    return tried;
  }

  async function keep(line: Line, tried: Tried): Promise<void> {
    if (!line.isOpen || ('error' in tried && !(await resets(line)))) return;
    if (line.messages >= mostMessages || places.taken > most) line.connection.quit();
    else idle.set(line, setTimeout(letGo, idleMs, line).unref());
  }

  const letGo = (line: Line): void => {
    idle.delete(line);
    line.connection.quit();
  };

  /** The most recently used connection, so that unneeded ones time out. */
  function takeIdle(): Line | undefined {
    for (const [line, timer] of [...idle].toReversed()) {
      idle.delete(line);
      clearTimeout(timer);
      if (line.isOpen) return line;
    }
    return undefined;
  }

  return {
    try: tryOnce,
    get open(): number {
      return places.taken + idle.size;
    },
    /** Changes how many connections there may be; those in use are closed after their message. */
    resize: (to: number): void => {
      most = to;
      places.resize(to);
      for (const line of [...idle.keys()].slice(0, Math.max(0, places.taken + idle.size - to))) {
        clearTimeout(idle.get(line));
        letGo(line);
      }
    },
    /** Closes idle connections. */
    close: (): void => {
      for (const line of idle.keys()) line.connection.quit();
      idle.clear();
    },
  };
}

const noneKnows = (error: SmtpError): Tried => ({ error, stage: 'message', reused: false });
const notConnected = (error: SmtpError): Tried => ({ error, stage: 'connecting', reused: false });
