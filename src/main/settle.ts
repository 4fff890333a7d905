import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// To collect by hand, and with what is unused all compiled code, most of which only the start ran.
const flags = ['expose-gc', 'flush-baseline-code', 'stress-flush-code'];

/**
 * After the start: keeps what was compiled for the next one, also if this process is killed, and gives back the memory
 * that only loading took. V8 would keep it until there is work enough to collect by itself.
 */
export function settle(): void {
  flushCompileCache();
  for (const flag of flags) setFlagsFromString(`--${flag}`);
  const collect = runInNewContext('gc') as (how: object) => void;
  // What the code held is found by the second.
  for (let time = 0; time < 2; time++) collect({ type: 'major', flavor: 'last-resort' });
  for (const flag of flags) setFlagsFromString(`--no-${flag}`);
}
