import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import type { FencedWindow, LastWindow, Note, Noted } from '../domain/broadcasts/sending/fence.ts';
import { shortRetries } from './short-retries.ts';

/** What the object keeps: the last window of each lane, and every window under a key of its own. */
export interface FenceState {
  get<Value>(key: string): Promise<Value | null>;
  set<Value>(key: string, value: Value): void;
}

const forgetAfterMs = 7 * 86_400_000;

const Lane = z.int().min(0);
const NotedWindow = z.object({
  lane: Lane,
  number: z.int().positive(),
  claim: z.guid(),
  recipients: z.array(z.tuple([z.guid(), z.guid().nullable()])),
  at: z.number(),
  known: z.array(z.guid()),
});
const ReadFrom = z.object({ lane: Lane, upTo: z.int(), most: z.int().max(1_000) });

const keyOf = ({ lane, number }: Pick<FencedWindow, 'lane' | 'number'>): string => `${lane}/${number}`;

const lastWindows = async (state: Pick<FenceState, 'get'>): Promise<readonly LastWindow[]> =>
  (await state.get<LastWindow[]>('last')) ?? [];

/** Notes a window, unless the last one of its lane is unknown to whoever asks. The same window may be noted twice. */
export async function noteIn(state: FenceState, { known, recipients, ...window }: Note): Promise<Noted> {
  const last = await lastWindows(state);
  const own = last.find(({ lane }) => lane === window.lane);
  if (own !== undefined && !known.includes(own.claim)) return { noted: false, last };
  const { at: _, ...noted } = window;
  state.set(keyOf(window), { ...noted, recipients });
  if (own !== undefined && own.number >= window.number) return { noted: true, last };
  const next = [...last.filter((one) => one !== own), window];
  state.set('last', next);
  return { noted: true, last: next };
}

export async function readFrom(
  state: Pick<FenceState, 'get'>,
  { lane, upTo, most }: z.output<typeof ReadFrom>,
): Promise<FencedWindow[]> {
  const found: FencedWindow[] = [];
  for (let number = upTo; number > Math.max(0, upTo - most); number--) {
    const window = await state.get<FencedWindow>(keyOf({ lane, number }));
    if (window !== null) found.push(window);
  }
  return found;
}

type Handlers = {
  note: (context: restate.ObjectContext, raw: unknown) => Promise<Noted>;
  read: (context: restate.ObjectContext, raw: unknown) => Promise<FencedWindow[]>;
  forget: (context: restate.ObjectContext) => Promise<void>;
};
const itself: restate.VirtualObjectDefinition<'Fence', Handlers> = { name: 'Fence' };

function parsed<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  const result = schema.safeParse(raw);
  if (!result.success) throw new restate.TerminalError('not for the fence');
  return result.data;
}

const forgetLater = (context: restate.ObjectContext, delay: number): void =>
  void context.objectSendClient(itself, context.key).forget(restate.rpc.sendOpts({ delay }));

/**
 * Knows which windows of a broadcast were handed over, in the engine's own state, so that a database that went back is
 * found out (ADR 60). It forgets itself some days after its last window. State is lazy: a note reads one key of it.
 */
export const fenceObject = restate.object({
  name: itself.name,
  options: { journalRetention: 0, enableLazyState: true, retryPolicy: shortRetries },
  handlers: {
    note: async (context: restate.ObjectContext, raw: unknown) => {
      const window = parsed(NotedWindow, raw);
      if ((await lastWindows(context)).length === 0) forgetLater(context, forgetAfterMs);
      return noteIn(context, window);
    },
    read: (context: restate.ObjectContext, raw: unknown) => readFrom(context, parsed(ReadFrom, raw)),
    forget: async (context: restate.ObjectContext) => {
      const last = (await lastWindows(context)).map(({ at }) => at);
      const leftMs = Math.max(0, ...last) + forgetAfterMs - (await context.date.now());
      if (leftMs > 0) forgetLater(context, leftMs);
      else context.clearAll();
    },
  } satisfies Handlers,
});
