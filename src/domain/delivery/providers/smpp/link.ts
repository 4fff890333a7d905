import { setTimeout as pause } from 'node:timers/promises';
import smpp, { type Fields, type Pdu, type Session } from 'smpp';

export interface LinkOptions {
  /** smpp://system_id:password@host:port; ssmpp:// over TLS. */
  readonly url: string;
  /** Handles what the SMSC delivers; resolves to the status of the response. */
  readonly onDeliver: (pdu: Pdu) => Promise<number>;
  /** A short description, never with an address or a password. */
  readonly onTrouble: (what: string) => void;
  readonly answerMs?: number;
  readonly enquireMs?: number;
  readonly slowestRetryMs?: number;
}

/** `unsent`: nothing was written. `lost`: it was, and no answer came. */
export type Answer = Pdu | 'unsent' | 'lost';

export interface Link {
  submit(fields: Fields, signal: AbortSignal): Promise<Answer>;
  /** Whether a session is bound; waits up to `waitMs` for one. */
  bound(waitMs: number): Promise<boolean>;
  close(): Promise<void>;
}

const version = 0x34; // 3.4, which every SMSC supports
const firstRetryMs = 250;
/** ESME_RINVBNDSTS: the SMSC does not consider us bound. */
export const notBound = 0x04;

/** Keeps one session bound until closed: a lost session is replaced, with growing delays while that fails. */
export function openLink(options: LinkOptions): Link {
  const { onTrouble, slowestRetryMs = 30_000, answerMs = 10_000 } = options;
  const closing = new AbortController();
  let current: Bound | undefined;
  let arrival = Promise.withResolvers<void>();

  const keepBound = async (): Promise<void> => {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      const bound = await bind(options, closing.signal);
      if (typeof bound === 'string') onTrouble(bound);
      else {
        failures = 0;
        current = bound;
        arrival.resolve();
        await bound.ended;
        current = undefined;
        arrival = Promise.withResolvers();
        if (!closing.signal.aborted) onTrouble('the session was lost');
      }
      const ms = Math.min(firstRetryMs * 2 ** failures, slowestRetryMs);
      await pause(ms, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const kept = keepBound();

  return {
    submit: async (fields, signal) => {
      const bound = current;
      if (bound === undefined) return 'unsent';
      const answer = await bound.ask('submit_sm', fields, answerMs, signal);
      if (typeof answer === 'object' && answer.command_status === notBound) bound.session.destroy();
      return answer;
    },
    bound: async (waitMs) => {
      if (current !== undefined || closing.signal.aborted) return current !== undefined;
      const waited = new AbortController();
      const late = pause(waitMs, undefined, { signal: waited.signal }).catch(() => undefined);
      await Promise.race([arrival.promise, late]);
      waited.abort();
      return current !== undefined;
    },
    close: async () => {
      closing.abort();
      await current?.ask('unbind', {}, 1_000);
      current?.session.destroy();
      await kept;
    },
  };
}

interface Bound {
  readonly session: Session;
  readonly ended: Promise<void>;
  ask(
    command: 'bind_transceiver' | 'submit_sm' | 'enquire_link' | 'unbind',
    fields: Fields,
    ms: number,
    signal?: AbortSignal,
  ): Promise<Answer>;
}

/** A bound session, or a short reason why there is none. */
async function bind(options: LinkOptions, closing: AbortSignal): Promise<Bound | string> {
  const { url, onDeliver, answerMs = 10_000, enquireMs = 30_000 } = options;
  const { protocol, hostname, port, username, password } = new URL(url);
  const tls = protocol === 'ssmpp:';
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const session = smpp.connect({ host, port: Number(port || (tls ? 3550 : 2775)), tls });
  const bound = watch(session);
  session.on('deliver_sm', (pdu: Pdu) => {
    void onDeliver(pdu).then((command_status) => session.send(pdu.response({ command_status })));
  });
  session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()));
  session.on('unknown', (pdu: Pdu) => session.send(pdu.response()));
  session.on('unbind', (pdu: Pdu) => {
    session.send(pdu.response());
    session.close();
  });
  const end = () => session.destroy();
  closing.addEventListener('abort', end);
  const answer = await bound.ask(
    'bind_transceiver',
    {
      system_id: decodeURIComponent(username),
      password: decodeURIComponent(password),
      interface_version: version,
    },
    answerMs,
  );
  closing.removeEventListener('abort', end);
  if (typeof answer === 'string' || answer.command_status !== 0) {
    session.destroy();
    await bound.ended;
    return typeof answer === 'string' ? 'nobody answered' : `the bind was refused: ${answer.command_status}`;
  }
  // Asking detects a connection that died silently.
  const asking = setInterval(() => {
    void bound.ask('enquire_link', {}, answerMs).then((alive) => {
      if (typeof alive === 'string') session.destroy();
    });
  }, enquireMs);
  void bound.ended.then(() => clearInterval(asking));
  return bound;
}

/** The library drops pending requests when a session ends; this resolves them as lost. */
function watch(session: Session): Bound {
  const waiting = new Set<() => void>();
  const ended = new Promise<void>((resolve) => {
    session.on('close', () => {
      for (const lose of waiting) lose();
      resolve();
    });
  });
  session.on('error', () => session.destroy()); // also for an unreadable PDU, after which it would read no more
  return {
    session,
    ended,
    ask: (command, fields, ms, signal) =>
      new Promise((resolve) => {
        const done = (answer: Answer) => {
          clearTimeout(timer);
          waiting.delete(lose);
          signal?.removeEventListener('abort', lose);
          resolve(answer);
        };
        const lose = () => done('lost');
        const timer = setTimeout(lose, ms);
        waiting.add(lose);
        signal?.addEventListener('abort', lose);
        if (!session[command](fields, done)) done('unsent');
      }),
  };
}
