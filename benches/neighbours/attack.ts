import type { Call } from '../support/send-call.ts';
import type { Ground } from './ground.ts';

/** One way to be a bad neighbour: which calls each of the attacker's connections makes, over and over. */
export interface Attack {
  readonly name: string;
  /** Among the dearest: also tried in the small size. */
  readonly dear?: true;
  readonly calls: (ground: Ground) => (connection: number) => Call;
}

export const call = (
  { secret }: Pick<Ground, 'secret'>,
  method: Call['method'],
  path: string,
  body?: string | object,
): Call => ({
  method,
  path,
  headers: { authorization: secret, 'auth-type': 'api' },
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
});

/** The same every time, made once: the attacker's own work is not what is measured. */
export const always =
  (make: (ground: Ground) => Call): Attack['calls'] =>
  (ground) => {
    const one = make(ground);
    return () => one;
  };

/** One after another, on every connection. */
export const byTurns =
  (make: (ground: Ground) => readonly Call[]): Attack['calls'] =>
  (ground) => {
    const calls = make(ground);
    let turn = 0;
    return () => calls[turn++ % calls.length]!;
  };
