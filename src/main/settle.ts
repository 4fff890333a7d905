import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * After the start: keeps what was compiled for the next one, also if this process is killed, and gives back the memory
 * that only loading took. V8 would keep it until there is work enough to collect by itself.
 */
export function settle(): void {
  flushCompileCache();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as (how: object) => void)({ type: 'major', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}
