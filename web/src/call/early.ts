import type { Input, OperationName } from './types.ts';

interface Asked {
  readonly name: OperationName;
  readonly input: Input<OperationName>;
  readonly answer: Promise<Response>;
}

/** The address that was opened. What was asked for it is not for another. */
const opened = location.href;
const asked = new Map<string, Asked>();
/** What nobody took by then is too old to be taken. */
const takenMs = 10_000;
setTimeout(() => asked.clear(), takenMs);

export const headersOf = (org: string): Record<string, string> => ({
  'Auth-Type': 'session',
  'Rostrum-Organization': org,
});

/** Asks before there is anybody to take the answer. The path must be the one that `call` makes of the name and input. */
export function askEarly<Name extends OperationName>(
  org: string,
  name: Name,
  input: Input<Name>,
  path: string,
): void {
  const answer = fetch(path, { headers: headersOf(org) });
  answer.catch(() => undefined); // whoever takes it hears of it
  asked.set(path, { name, input, answer });
}

export const askedEarly = (): readonly Asked[] => [...asked.values()];

/** What was asked early, once, if the address is still the same. */
export function takeEarly(path: string): Promise<Response> | undefined {
  if (location.href !== opened) asked.clear();
  const answer = asked.get(path)?.answer;
  asked.delete(path);
  return answer;
}
