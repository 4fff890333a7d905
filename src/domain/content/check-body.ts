import { Worker } from 'node:worker_threads';
import { workThread } from '../../kernel/work-thread.ts';
import type { BodyCheck } from './body.ts';
import { checkHtml } from './check-html.ts';
import { checkText } from './check-text.ts';
import { isTooLong } from './limits.ts';

// Takes two milliseconds or so in place. A quarter of a megabyte takes a hundred, and four at the worst.
const mostInPlace = 8_192;

/** Checks a body; a long one off the thread that answers requests. */
export async function checkBody(kind: 'html' | 'text', source: string): Promise<BodyCheck> {
  if (kind === 'text') return checkText(source);
  const isQuick = source.length < mostInPlace || isTooLong(source);
  return isQuick ? checkHtml(source) : checkElsewhere(source);
}

const checkElsewhere = workThread<string, BodyCheck>({
  start: () => new Worker(new URL('./body-worker.ts', import.meta.url)),
  doing: 'Checking a body',
  mostMs: 5_000,
});
