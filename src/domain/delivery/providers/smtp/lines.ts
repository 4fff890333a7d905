import { slots } from '../../../../kernel/slots.ts';
import {
  isUsable,
  quit,
  sendOver,
  type Line,
  type Message,
  type SmtpError,
  type SmtpServer,
  type Tried,
} from './line.ts';
import { openLine } from './open-line.ts';

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

/** How a message goes. */
interface Way {
  /** Over a connection that was not used before. */
  readonly isFresh?: boolean;
  /** Right behind another message, on its connection or once that is answered. */
  readonly behind?: Ahead | undefined;
  /** All of it is written, and another message may go behind it. */
  readonly onHanded?: (ahead: Ahead) => void;
}

/** A message that was handed over on a line and is not answered yet. */
export interface Ahead {
  readonly line: Line;
  /** Never rejected. */
  readonly answered: Promise<unknown>;
}

/**
 * Connections to one server, kept open between messages and shared by the organizations that send. A message has a place
 * until it is written; on a connection whose answers come soon the next one may then send its envelope, which the
 * server reads after the first message, so that each costs one round trip (ADR 101). A message that is not written yet
 * was not handed over, whatever becomes of the one ahead.
 */
export function smtpLines(server: SmtpServer, most: number) {
  const places = slots(most, byMessagesSent);
  const all = new Set<Line>();
  /** Those on which a message has its place. */
  const taken = new Set<Line>();
  const idle = new Map<Line, NodeJS.Timeout>();
  let opening = 0;

  const count = (): number => all.size + opening;
  const mayFollow = (line: Line): boolean =>
    line.ahead !== undefined &&
    line.supports.pipelining &&
    line.isQuick &&
    line.messages < mostMessages &&
    isUsable(line) &&
    !taken.has(line);

  /** Hands a message over on one connection, once. */
  async function tryOnce(message: Message, { place, answer }: Patience, way: Way = {}): Promise<Tried> {
    const { behind } = way;
    if (behind !== undefined && !mayFollow(behind.line)) await behind.answered;
    if (!(await places.take(message.org, place, message.isFew === true ? 'short' : 'long')))
      return notConnected(new Error('no connection became free in time'));
    let line: Line;
    try {
      if (behind !== undefined && !mayFollow(behind.line)) await behind.answered;
      line = choose(way) ?? (await open(answer));
    } catch (error) {
      places.free(message.org);
      return notConnected(error as SmtpError);
    }
    taken.add(line);
    let hasPlace = true;
    const leave = (): void => {
      if (!hasPlace) return;
      hasPlace = false;
      taken.delete(line);
      keep(line);
      places.free(message.org);
    };
    const sending = sendOver(line, message, answer, () => {
      if (count() > most) return;
      taken.delete(line);
      const isFollowed = mayFollow(line);
      if (!isFollowed) return void taken.add(line);
      hasPlace = false;
      // Whoever waits for a connection goes first.
      if (places.waiting === 0) way.onHanded?.({ line, answered: sending });
      places.free(message.org);
    }).catch(noneKnows);
    const tried = await sending;
    if (line.isSpoiled && line.ahead !== undefined) void line.ahead.catch(() => undefined).then(leave);
    else if (hasPlace) leave();
    else keep(line);
    return tried;
  }

  /** A kept connection, the most recently used, so that unneeded ones time out; else one to follow another on. */
  function choose({ isFresh = false, behind }: Way): Line | undefined {
    if (behind !== undefined && mayFollow(behind.line)) return behind.line;
    if (!isFresh || count() >= most) {
      const kept = takeIdle();
      if (!isFresh && kept !== undefined) return kept;
      if (kept !== undefined) letGo(kept); // so that there are no more connections than places
    }
    return count() < most ? undefined : all.values().find(mayFollow);
  }

  async function open(signal: AbortSignal): Promise<Line> {
    opening++;
    try {
      const line = await openLine(server, signal);
      all.add(line);
      line.wire.socket.once('close', () => forget(line));
      return line;
    } finally {
      opening--;
    }
  }

  function keep(line: Line): void {
    if (line.ahead !== undefined || taken.has(line) || !all.has(line)) return; // of another message by now
    if (!isUsable(line)) forget(line);
    else if (line.messages >= mostMessages || count() > most) letGo(line);
    else idle.set(line, setTimeout(letGo, idleMs, line).unref());
  }

  const letGo = (line: Line): void => {
    forget(line);
    quit(line);
  };

  function forget(line: Line): void {
    all.delete(line);
    clearTimeout(idle.get(line));
    idle.delete(line);
  }

  function takeIdle(): Line | undefined {
    for (const [line, timer] of [...idle].toReversed()) {
      idle.delete(line);
      clearTimeout(timer);
      if (isUsable(line)) return line;
      forget(line);
    }
    return undefined;
  }

  return {
    try: tryOnce,
    get open(): number {
      return count();
    },
    /** Changes how many connections there may be; those in use are closed after their message. */
    resize: (to: number): void => {
      most = to;
      places.resize(to);
      for (const line of [...idle.keys()].slice(0, Math.max(0, count() - to))) letGo(line);
    },
    /** Closes idle connections. */
    close: (): void => {
      for (const line of idle.keys()) letGo(line);
    },
  };
}

const noneKnows = (error: SmtpError): Tried => ({ error, stage: 'message', reused: false });
const notConnected = (error: SmtpError): Tried => ({ error, stage: 'connecting', reused: false });
