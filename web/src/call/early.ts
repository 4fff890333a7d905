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

type Body = Readonly<Record<string, unknown>> | undefined;

/** A request of whoever is signed in. */
export const toSend = (org: string, method: string, body: Body): RequestInit => ({
  method,
  headers: {
    'Auth-Type': 'session',
    'Rostrum-Organization': org,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

/** One and the same for a request and for what was asked early. */
const keyOf = (path: string, body: Body): string => `${path} ${JSON.stringify(body)}`;

/**
 * Asks before there is anybody to take the answer. The path and the body must be those that `call` makes of the name and
 * input.
 */
export function askEarly<Name extends OperationName>(
  org: string,
  name: Name,
  input: Input<Name>,
  path: string,
  body?: Body,
): Promise<Response> {
  const answer = fetch(path, toSend(org, body === undefined ? 'GET' : 'POST', body));
  answer.catch(() => undefined); // whoever takes it hears of it
  asked.set(keyOf(path, body), { name, input, answer });
  return answer;
}

export const askedEarly = (): readonly Asked[] => [...asked.values()];

/** What was asked early, once, if the address is still the same. */
export function takeEarly(path: string, body: Body): Promise<Response> | undefined {
  if (location.href !== opened) asked.clear();
  const key = keyOf(path, body);
  const answer = asked.get(key)?.answer;
  asked.delete(key);
  return answer;
}
