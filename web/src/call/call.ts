import catalogue from 'virtual:catalogue';
import { toSend, takeEarly } from './early.ts';
import { readProblem, unreachable } from './problem.ts';
import type { Input, OperationName, Output } from './types.ts';

/** Where a call goes: its method and address, and what is left for the body. */
export function requestOf(
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
): { method: string; path: string; body: Readonly<Record<string, unknown>> | undefined } {
  const [method = '', route = ''] = catalogue[name]!.route.split(' ');
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = route.replace(/:(\w+)/g, (_, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    return encodeURIComponent(String(value));
  });
  if (method !== 'GET' && method !== 'DELETE') return { method, path, body: Object.fromEntries(rest) };
  const query = new URLSearchParams([...rest].map(([field, value]) => [field, String(value)])).toString();
  return { method, path: query === '' ? path : `${path}?${query}`, body: undefined };
}

let last: string | undefined;

/** The id of the request that was answered last. */
export const lastRequestId = (): string | undefined => last;

/** The only way to the service. The cookie lets it in; no script can read that. */
export async function call<Name extends OperationName>(
  org: string,
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Output<Name>> {
  const { method, path, body } = requestOf(name, input as Readonly<Record<string, unknown>>);
  let response: Response;
  try {
    response = await (takeEarly(path, body) ??
      fetch(path, { ...toSend(org, method, body), ...(signal !== undefined && { signal }) }));
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw unreachable();
  }
  last = response.headers.get('Request-Id') ?? last;
  if (!response.ok) throw await readProblem(response);
  return (await response.json()) as Output<Name>;
}
