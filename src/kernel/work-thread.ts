import type { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';

/** What is asked of a worker thread here: it sends a message when it can work, and answers each with one, as JSON. */
export type Thread = EventEmitter & Pick<Worker, 'ref' | 'unref' | 'postMessage' | 'terminate'>;

export interface ThreadWork {
  readonly start: () => Thread;
  /** For errors: "Checking a body". */
  readonly doing: string;
  readonly mostMs: number;
}

/** To load what it works with, which takes a busy machine seconds: no question's time. */
const startMs = 20_000;

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
  /** The next message of the thread. */
  const hear = async (from: Thread, withinMs: number): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const endEarly = (code: number): void =>
      reject(new Error(`${doing}: the thread for it ended (${code}).`));
    const timer = setTimeout(() => {
      forget(from);
      void from.terminate();
      reject(new Error(`${doing} took longer than ${withinMs / 1_000} seconds.`));
    }, withinMs);
    from.once('message', resolve);
    from.once('error', reject);
    from.once('exit', endEarly);
    // The worker keeps the process alive only while an answer is due.
    from.ref();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      from.off('message', resolve);
      from.off('error', reject);
      from.off('exit', endEarly);
      from.unref();
    }
  };
  const startOne = async (): Promise<Thread> => {
    const started = start();
    // The worker may also end between questions, and an error without a listener would end the process.
    started.on('error', () => forget(started));
    started.on('exit', () => forget(started));
    thread = started;
    await hear(started, startMs);
    return started;
  };
  const ask = async (question: Question): Promise<Answer> => {
    const asked = thread ?? (await startOne());
    const answer = hear(asked, mostMs);
    asked.postMessage(question);
    return JSON.parse(await answer) as Answer;
  };
  return (question) => {
    const answer = last.then(() => ask(question));
    last = answer.catch(() => undefined);
    return answer;
  };
}
