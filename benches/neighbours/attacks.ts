import { randomBytes } from 'node:crypto';
import { draft } from '../plan/bodies.ts';
import type { Call } from '../support/send-call.ts';
import { everybody, largestBody, someRows, type Ground } from './ground.ts';
import { longGraph } from './long-graph.ts';

/** One way to be a bad neighbour: which calls each of the attacker's connections makes, over and over. */
export interface Attack {
  readonly name: string;
  /** Among the dearest: also tried in the small size. */
  readonly dear?: true;
  readonly calls: (ground: Ground) => (connection: number) => Call;
}

const megabyte = 1_048_576;
const mostInBatch = 100; // the SDK refuses more

const call = (
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
const always =
  (make: (ground: Ground) => Call): Attack['calls'] =>
  (ground) => {
    const one = make(ground);
    return () => one;
  };

/** One after another, on every connection. */
const byTurns =
  (make: (ground: Ground) => readonly Call[]): Attack['calls'] =>
  (ground) => {
    const calls = make(ground);
    let turn = 0;
    return () => calls[turn++ % calls.length]!;
  };

let made = 0;

export const attacks: readonly Attack[] = [
  {
    name: 'segment previews',
    dear: true,
    calls: always((ground) => call(ground, 'POST', '/v1/segments/preview', { filters: everybody })),
  },
  {
    name: 'searches for a short term',
    calls: always((ground) => call(ground, 'POST', '/v1/people/search', { query: 'e' })),
  },
  {
    name: 'members of a segment',
    calls: always((ground) => call(ground, 'GET', `/v1/segments/${ground.segment}/members?limit=200`)),
  },
  {
    name: 'plans for everybody',
    calls: byTurns((ground) =>
      ['plan', 'preview'].map((ask) => call(ground, 'POST', `/v1/broadcasts/${ground.broadcast}/${ask}`, {})),
    ),
  },
  {
    name: 'drafts of 260 KB',
    dear: true,
    calls: always((ground) => call(ground, 'POST', '/v1/broadcasts', draft(largestBody))),
  },
  {
    name: 'workflows of many bodies',
    calls: byTurns((ground) => {
      const graph = (of: string): object => longGraph({ bytes: 22_000, of });
      return [
        call(ground, 'POST', '/v1/workflows', { name: 'Many bodies', graph: graph('a') }),
        call(ground, 'PATCH', `/v1/workflows/${ground.changing}`, { graph: graph('b') }),
      ];
    }),
  },
  {
    name: 'simulations for all registrants',
    dear: true,
    calls: always((ground) =>
      call(ground, 'POST', `/v1/workflows/${ground.workflow}/simulate`, { webinar_id: ground.webinar }),
    ),
  },
  {
    name: 'previews of the largest list',
    calls: always((ground) =>
      call(ground, 'POST', `/v1/imports/${ground.list}/preview`, { merges: 'allow' }),
    ),
  },
  {
    name: 'rows of the largest body',
    calls: (ground) => {
      const body = JSON.stringify({ rows: someRows(0, 500, 'x'.repeat(1_900)) });
      return (connection) => call(ground, 'POST', `/v1/imports/${ground.openLists[connection]}/rows`, body);
    },
  },
  {
    name: 'people of 50 identifiers',
    calls: (ground) => (connection) =>
      call(ground, 'POST', '/v1/people/identify', {
        email: ground.crowded[connection],
        first_name: `First ${++made}`,
        custom_properties: { company: `Company ${made}`, seats: made },
      }),
  },
  {
    name: 'a megabyte of nesting',
    calls: always((ground) => {
      const levels = megabyte / 2 - 20;
      const nested = `{"email":${'['.repeat(levels)}${']'.repeat(levels)}}`;
      return call(ground, 'POST', '/v1/people/identify', nested);
    }),
  },
  {
    name: 'batches of 100 tool calls',
    dear: true,
    calls: always(({ secret }) => ({
      method: 'POST',
      path: '/mcp',
      headers: { authorization: `Bearer ${secret}`, accept: 'application/json, text/event-stream' },
      body: JSON.stringify(
        Array.from({ length: mostInBatch }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'preview_segment', arguments: { filters: everybody } },
        })),
      ),
    })),
  },
  {
    name: 'made-up keys',
    calls: () => () =>
      call({ secret: `rk_live_${randomBytes(32).toString('base64url')}` }, 'GET', '/v1/people'),
  },
];
