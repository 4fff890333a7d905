import type { LocalRestate } from '../../src/main/local-restate.ts';
import { registerHandlers } from '../../src/main/register-handlers.ts';
import { rearm, restatePart, type Killable } from './part.ts';

export interface Engine {
  readonly engine: Killable;
  /** Throws away everything the engine knew, and has it told again. */
  readonly loseEngine: () => Promise<void>;
}

type Env = Readonly<Record<string, string>> & { readonly HANDLERS_PORT: string };

export function engineOf(restate: LocalRestate, env: Env): Engine {
  const engine = inTurns(restatePart(restate));
  const loseEngine = async (): Promise<void> => {
    await engine.kill();
    await restate.wipe();
    await engine.start();
    await insist(() => registerHandlers([restate.adminUrl], `http://127.0.0.1:${env.HANDLERS_PORT}`));
    await insist(() => rearm(env));
  };
  return { engine, loseEngine };
}

/** Whoever kills it is alone with it until they have started it again. */
function inTurns(part: Killable): Killable {
  let free = Promise.resolve();
  let release = (): void => undefined;
  return {
    name: part.name,
    kill: async () => {
      const before = free;
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      await before;
      release = resolve;
      await part.kill();
    },
    start: async () => {
      await part.start();
      release();
    },
  };
}

const tries = 60;

/** Something else may have been killed at this moment. */
async function insist(act: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await act();
      return;
    } catch (error) {
      if (tried >= tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
