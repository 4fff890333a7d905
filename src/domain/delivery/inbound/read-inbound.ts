import { Worker } from 'node:worker_threads';
import { workThread } from '../../../kernel/work-thread.ts';
import type { ParsedMessage } from './parse-inbound.ts';
import { slimMessage } from './slim-message.ts';

/** An inbound message, reduced to what is read. */
export interface Inbound {
  /** Every value of a header, in order. */
  readonly header: (name: string) => readonly string[];
  /** Parts that are not the message's own text: reports, messages attached. */
  readonly parts: ParsedMessage['parts'];
  readonly text: string;
}

const parse = workThread<Uint8Array, ParsedMessage | null>({
  start: () =>
    new Worker(new URL('./inbound-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    }),
  doing: 'Reading a message',
  mostMs: 2_000,
});

/**
 * Parses any message off the main thread; undefined when it is built to be unreadable. Throws when parsing takes too
 * long: the sending server then keeps the message and tries again.
 */
export async function readInbound(raw: Uint8Array): Promise<Inbound | undefined> {
  const parsed = await parse(slimMessage(raw));
  if (parsed === null) return undefined;
  const { headers, parts, text } = parsed;
  return {
    header: (name) => headers.filter(({ key }) => key === name).map(({ value }) => value),
    parts,
    text,
  };
}

/** The fields of a header or of one group of a report, by name in lower case; the first of a name counts. */
export function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** The header of a message: everything before the first empty line. */
export const headerOf = (message: string): string => message.split(/\r?\n[ \t]*\r?\n/, 1)[0] ?? '';
