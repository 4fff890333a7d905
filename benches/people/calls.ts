import { identifyPerson } from '../../src/domain/people/identify/identify-person.ts';
import { getPerson } from '../../src/domain/people/record/get-person.ts';
import { listPeople } from '../../src/domain/people/record/list-people.ts';
import { sortFields } from '../../src/domain/people/record/page-of-people.ts';
import { searchPeople } from '../../src/domain/people/record/search-people.ts';
import type { Work } from '../../src/database/work.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import type { Call } from '../support/send-call.ts';

/** One thing that is measured: the operation, a sample to record its SQL with, and the inputs it is called with. */
export interface Measured {
  readonly name: string;
  readonly operation: AnyOperation<Work>;
  readonly kind: 'one' | 'many';
  readonly sample: Record<string, string>;
  /** The sample's ids are made by the call, so every call makes its own. */
  readonly makes?: true;
  readonly fixed?: Record<string, unknown>;
  readonly next: () => Record<string, string>;
}

export interface Known {
  /** People of the organization, by the numbers they were seeded with. */
  readonly people: number;
  readonly ids: readonly string[];
  readonly deepOffset: number;
}

let made = 0;

export function callsOn(known: Known): Measured[] {
  const number = (): number => 1 + Math.floor(Math.random() * known.people);
  const id = (): string => known.ids[Math.floor(Math.random() * known.ids.length)]!;
  const phone = (n: number): string => `+1555${String(n).padStart(8, '0')}`;
  const fresh = (): Record<string, string> => {
    made += 1;
    const word = `${process.pid}-${made}`;
    return { email: `new-${word}@example.net`, external_user_id: `new-${word}` };
  };
  const search = (name: string, query: () => string): Measured => ({
    name: `search ${name}`,
    operation: searchPeople,
    kind: 'many',
    sample: { query: query() },
    next: () => ({ query: query() }),
  });
  const list = (name: string, fixed: Record<string, unknown>): Measured => ({
    name,
    operation: listPeople,
    kind: 'many',
    sample: {},
    fixed,
    next: () => ({}),
  });
  return [
    {
      name: 'get',
      operation: getPerson,
      kind: 'one',
      sample: { person_id: id() },
      next: () => ({ person_id: id() }),
    },
    {
      name: 'identify known',
      operation: identifyPerson,
      kind: 'one',
      sample: { phone: phone(1), external_user_id: 'ext-1' },
      next: () => {
        const n = number();
        return { phone: phone(n), external_user_id: `ext-${n}` };
      },
    },
    {
      name: 'identify new',
      operation: identifyPerson,
      kind: 'one',
      sample: fresh(),
      makes: true,
      next: fresh,
    },
    search('rare', () => `ext-${number()}`.padEnd(8, '0')),
    search('common', () => 'example.com'),
    search('no match', () => `nobody${Math.floor(Math.random() * 1e9)}`),
    ...sortFields.map((sort) => list(`list by ${sort}`, { sort })),
    ...sortFields.map((sort) =>
      list(`list by ${sort}, offset ${known.deepOffset}`, { sort, offset: known.deepOffset }),
    ),
  ];
}

/** The call as our REST face takes it. */
export function toRest({ operation, fixed }: Measured, input: Record<string, string>, secret: string): Call {
  const headers = { authorization: secret, 'auth-type': 'api' };
  const [method, url] = operation.faces.rest[0].split(' ') as ['GET' | 'POST', string];
  const all: Record<string, unknown> = { ...fixed, ...input };
  if (method === 'POST') return { method, path: url, body: JSON.stringify(all), headers };
  const path = url.replace(/:(\w+)/, (_, name: string) => {
    const value = String(all[name]);
    delete all[name];
    return value;
  });
  const query = new URLSearchParams(all as Record<string, string>).toString();
  return { method, path: query === '' ? path : `${path}?${query}`, headers };
}

/** The same call as a tool. */
export const toTool = (
  { operation, fixed }: Measured,
  input: Record<string, string>,
  secret: string,
): Call => ({
  method: 'POST',
  path: '/mcp',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: operation.name, arguments: { ...fixed, ...input } },
  }),
  headers: { authorization: `Bearer ${secret}`, accept: 'application/json, text/event-stream' },
});

/** The same call to the bare server. */
export function toBare({ name, operation }: Measured, input: Record<string, string>): Call {
  const path = `/${encodeURIComponent(name)}`;
  if (operation.faces.rest[0].startsWith('POST'))
    return { method: 'POST', path, body: JSON.stringify(input) };
  return { method: 'GET', path: `${path}?${new URLSearchParams(input).toString()}` };
}
