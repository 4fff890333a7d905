import { Worker } from 'node:worker_threads';
import type { BodyCheck } from './body.ts';
import { checkHtml } from './check-html.ts';
import { checkText } from './check-text.ts';
import { isTooLong } from './limits.ts';

// Takes two milliseconds or so in place. A quarter of a megabyte takes a hundred, and four at the worst.
const mostInPlace = 8_192;
const mostMilliseconds = 5_000;

/** Checks a body; a long one off the thread that answers requests. */
export async function checkBody(kind: 'html' | 'text', source: string): Promise<BodyCheck> {
  if (kind === 'text') return checkText(source);
  const isQuick = source.length < mostInPlace || isTooLong(source);
  return isQuick ? checkHtml(source) : checkElsewhere(source);
}

let worker: Worker | undefined;
/** Settles when the checks asked for so far are done. */
let last: Promise<unknown> = Promise.resolve();

/** One after the other, so that the time limit is each body's own. */
function checkElsewhere(source: string): Promise<BodyCheck> {
  const check = last.then(() => askWorker((worker ??= startWorker()), source));
  last = check.catch(() => undefined);
  return check;
}

function startWorker(): Worker {
  const started = new Worker(new URL('./body-worker.ts', import.meta.url));
  // It may also end while nobody is asking, and an error without a listener would end the process.
  const forget = (): void => {
    if (worker === started) worker = undefined;
  };
  started.on('error', forget);
  started.on('exit', forget);
  return started;
}

async function askWorker(asked: Worker, source: string): Promise<BodyCheck> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const endEarly = (code: number): void =>
    reject(new Error(`The thread that checks bodies ended (${code}).`));
  const timer = setTimeout(() => {
    worker = undefined;
    void asked.terminate();
    reject(new Error('Checking a body took longer than 5 seconds.'));
  }, mostMilliseconds);
  asked.once('message', resolve);
  asked.once('error', reject);
  asked.once('exit', endEarly);
  // A process waits for an answer that is due, and for nothing else of this.
  asked.ref();
  asked.postMessage(source);
  try {
    return JSON.parse(await promise) as BodyCheck;
  } finally {
    clearTimeout(timer);
    asked.off('message', resolve);
    asked.off('error', reject);
    asked.off('exit', endEarly);
    asked.unref();
  }
}
