import type { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';

/** What is asked of a worker thread here: it answers each message with one, as JSON. */
export type Thread = EventEmitter & Pick<Worker, 'ref' | 'unref' | 'postMessage' | 'terminate'>;

export interface ThreadWork {
  readonly start: () => Thread;
  /** For errors: "Checking a body". */
  readonly doing: string;
  readonly mostMs: number;
}

/**
 * Runs work that would block this thread on a worker, which starts on first use and again after it died or timed out.
 * Questions run one at a time: each has the whole time limit, and a worker that ends loses only one.
 */
export function workThread<Question, Answer>({
  start,
  doing,
  mostMs,
}: ThreadWork): (question: Question) => Promise<Answer> {
  let thread: Thread | undefined;
  /** Settles when what was asked so far is done. */
  let last: Promise<unknown> = Promise.resolve();

  const forget = (one: Thread): void => {
    if (thread === one) thread = undefined;
  };
  const startOne = (): Thread => {
    const started = start();
    // The worker may also end between questions, and an error without a listener would end the process.
    started.on('error', () => forget(started));
    started.on('exit', () => forget(started));
    return started;
  };
  const ask = async (question: Question): Promise<Answer> => {
    const asked = (thread ??= startOne());
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const endEarly = (code: number): void =>
      reject(new Error(`${doing}: the thread for it ended (${code}).`));
    const timer = setTimeout(() => {
      forget(asked);
      void asked.terminate();
      reject(new Error(`${doing} took longer than ${mostMs / 1_000} seconds.`));
    }, mostMs);
    asked.once('message', resolve);
    asked.once('error', reject);
    asked.once('exit', endEarly);
    // The worker keeps the process alive only while an answer is due.
    asked.ref();
    asked.postMessage(question);
    try {
      return JSON.parse(await promise) as Answer;
    } finally {
      clearTimeout(timer);
      asked.off('message', resolve);
      asked.off('error', reject);
      asked.off('exit', endEarly);
      asked.unref();
    }
  };
  return (question) => {
    const answer = last.then(() => ask(question));
    last = answer.catch(() => undefined);
    return answer;
  };
}
