import type { Socket } from 'node:net';

/** A reply of a mail server, all of its lines. What is no reply has code 0. */
export interface Reply {
  readonly code: number;
  readonly text: string;
}

/** A connection on which replies come in the order of the commands. */
export interface Wire {
  readonly socket: Socket;
  readonly isOpen: boolean;
  /** Nothing was read that nobody asked for. */
  readonly isClean: boolean;
  /** What is written in one turn of the event loop goes out together. */
  write(...parts: readonly (string | Buffer)[]): void;
  /** The next reply that nobody else waits for. It is rejected when the connection is lost first. */
  reply(): Promise<Reply>;
  /** Leaves the socket to another. */
  handOn(): void;
  close(why?: Error): void;
}

const longestReply = 65_536;

export function wireOver(socket: Socket, silenceMs: number): Wire {
  const waiting: { readonly resolve: (reply: Reply) => void; readonly reject: (error: Error) => void }[] = [];
  let unread = '';
  let began = 0; // where the reply at hand begins in it
  let lost: Error | undefined;
  let isCorked = false;

  const fail = (error: Error): void => {
    lost ??= error;
    for (const one of waiting.splice(0)) one.reject(lost);
    socket.destroy();
  };
  const onData = (chunk: Buffer): void => {
    let from = unread.length;
    unread += chunk.toString('latin1');
    for (let end = unread.indexOf('\n', from); end >= 0; end = unread.indexOf('\n', from)) {
      const line = unread.lastIndexOf('\n', end - 1) + 1;
      from = end + 1;
      if (unread[line + 3] === '-' && /^\d{3}/.test(unread.slice(line, line + 3))) continue;
      take(unread.slice(began, end));
      began = from;
    }
    unread = unread.slice(began);
    began = 0;
    if (unread.length > longestReply) fail(new Error('the reply of the server has no end'));
  };
  const take = (raw: string): void => {
    const text = Buffer.from(raw, 'latin1').toString().trimEnd();
    const next = waiting.shift();
    if (next === undefined) fail(new Error(text)); // it says farewell, or is out of step
    else next.resolve({ code: Number(/^\d{3}(?=[ -]|$)/.exec(text)?.[0] ?? 0), text });
  };
  const onEnd = (): void => fail(new Error('the server hung up'));
  const onSilence = (): void => fail(new Error('the server keeps silent'));
  socket.setTimeout(silenceMs);
  socket.on('data', onData).on('error', fail).on('end', onEnd).on('close', onEnd).on('timeout', onSilence);

  return {
    socket,
    get isOpen() {
      return lost === undefined;
    },
    get isClean() {
      return unread === '';
    },
    write: (...parts) => {
      if (!isCorked) {
        isCorked = true;
        socket.cork();
        setImmediate(() => {
          isCorked = false;
          socket.uncork();
        });
      }
      for (const part of parts) socket.write(part);
    },
    reply: () => {
      const { promise, resolve, reject } = Promise.withResolvers<Reply>();
      promise.catch(() => undefined); // whoever has given up does not look at it
      if (lost === undefined) waiting.push({ resolve, reject });
      else reject(lost);
      return promise;
    },
    handOn: () => {
      socket
        .setTimeout(0)
        .off('data', onData)
        .off('error', fail)
        .on('error', () => undefined);
      socket.off('end', onEnd).off('close', onEnd).off('timeout', onSilence);
    },
    close: (why = new Error('closed')) => fail(why),
  };
}
