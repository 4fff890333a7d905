import {
  openLine,
  resets,
  sendOver,
  type Line,
  type Message,
  type SmtpError,
  type SmtpServer,
  type Tried,
} from './smtp-line.ts';
import { slots } from '../../../kernel/slots.ts';

/** When to stop waiting. The one for a place comes well before the other: a place without time is of no use to anybody. */
export interface Patience {
  readonly place: AbortSignal;
  readonly answer: AbortSignal;
}

const idleMs = 10_000; // some servers hang up after little more
const mostMessages = 100;

/**
 * Connections to one server, kept open between messages. They are nodemailer's; its pool is not used because it queues a
 * message again by itself, loses what a server said when it hung up, and cannot let go of one message that takes too
 * long: then nobody could say whether that was handed over.
 */
export function smtpLines(server: SmtpServer, most: number) {
  const places = slots(most);
  const idle = new Map<Line, NodeJS.Timeout>();

  /** Hands a message over on one connection, once; `fresh` takes a new one. */
  async function tryOnce(message: Message, { place, answer }: Patience, fresh = false): Promise<Tried> {
    if (!(await places.take(place))) return notConnected(new Error('no connection became free in time'));
    let line: Line;
    try {
      line = (fresh ? undefined : takeIdle()) ?? (await openLine(server, answer));
    } catch (error) {
      places.free();
      return notConnected(error as SmtpError);
    }
    const tried = await sendOver(line, message, answer).catch(noneKnows);
    void keep(line, tried).finally(() => places.free()); // the answer does not wait for it
    return tried;
  }

  async function keep(line: Line, tried: Tried): Promise<void> {
    if (!line.isOpen || ('error' in tried && !(await resets(line)))) return;
    if (line.messages >= mostMessages) line.connection.quit();
    else idle.set(line, setTimeout(letGo, idleMs, line).unref());
  }

  const letGo = (line: Line): void => {
    idle.delete(line);
    line.connection.quit();
  };

  /** The one used last, so that those not needed come to their end. */
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
    /** Ends what is not in use. */
    close: (): void => {
      for (const line of idle.keys()) line.connection.quit();
      idle.clear();
    },
  };
}

const noneKnows = (error: SmtpError): Tried => ({ error, stage: 'message', reused: false });
const notConnected = (error: SmtpError): Tried => ({ error, stage: 'connecting', reused: false });
