import { Worker } from 'node:worker_threads';
import { DoFirst } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { Failure } from '../../../kernel/failure.ts';
import { workThreads } from '../../../kernel/work-threads.ts';
import type { BodyCheck } from './body.ts';
import { checkHtml } from './check-html.ts';
import { checkText } from './check-text.ts';
import { isTooLong } from './limits.ts';

// Takes two milliseconds or so in place. A quarter of a megabyte takes a hundred, and four at the worst.
const mostInPlace = 8_192;
const threads = 2;

type Kind = 'html' | 'text';

const isQuick = (kind: Kind, source: string): boolean =>
  kind === 'text' || source.length < mostInPlace || isTooLong(source);

const checkInPlace = (kind: Kind, source: string): BodyCheck =>
  kind === 'text' ? checkText(source) : checkHtml(source);

/** Checks a body; a long one off the thread that answers requests. */
export const checkBody = async (org: string, kind: Kind, source: string): Promise<BodyCheck> =>
  isQuick(kind, source) ? checkInPlace(kind, source) : checkElsewhere(org, source);

/** What was found outside the transactions of a call. */
const foundFor = new WeakMap<Caller, Map<string, BodyCheck>>();

/** Checks a body inside a transaction, which starts over after a long one was checked outside of it. */
export function checkBodyFirst({ org, caller }: Work, kind: Kind, source: string): BodyCheck {
  if (isQuick(kind, source)) return checkInPlace(kind, source);
  const found = foundFor.get(caller) ?? new Map<string, BodyCheck>();
  foundFor.set(caller, found);
  const known = found.get(source);
  if (known !== undefined) return known;
  throw new DoFirst(async () => {
    found.set(source, await checkBody(org, kind, source).catch(refuse));
  });
}

const checkElsewhere = workThreads<string, BodyCheck>(
  {
    start: () => new Worker(new URL('./body-worker.ts', import.meta.url)),
    doing: 'Checking a body',
    mostMs: 20_000, // its priority is low: on a busy machine it waits for what serves everybody
  },
  threads,
);

function refuse(error: unknown): never {
  if (error instanceof Failure) throw error;
  throw new Failure('unavailable', 'The body could not be checked in time. Send the request again shortly.', {
    retryAfterSeconds: 5,
  });
}
