import type { Fence, FencedWindow, Noted } from '../domain/broadcasts/sending/fence.ts';
import type { EngineObjects } from './engine.ts';

/** The fence in the engine. Its objects answer in these shapes: both sides are of one release, as they share a process. */
export function engineFence(engine: EngineObjects): Fence {
  const ask = (key: string, handler: string, question: unknown): Promise<unknown> =>
    engine.ask({ name: 'Fence', key, handler }, question);
  return {
    note: async (fenced, window) => (await ask(fenced, 'note', window)) as Noted | undefined,
    read: async (fenced, from) => (await ask(fenced, 'read', from)) as FencedWindow[] | undefined,
  };
}
