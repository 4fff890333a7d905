import { randomBytes } from 'node:crypto';
import { draft } from '../plan/bodies.ts';
import { always, byTurns, call, type Attack } from './attack.ts';
import { everybody, largestBody, someRows } from './ground.ts';
import { longGraph } from './long-graph.ts';

const megabyte = 1_048_576;
const mostInBatch = 100; // the SDK refuses more

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
    name: 'simulations for somebody made up',
    calls: always((ground) =>
      call(ground, 'POST', `/v1/workflows/${ground.workflow}/simulate`, {
        webinar_id: ground.webinar,
        made_up: true,
      }),
    ),
  },
  {
    name: 'recounts for everybody',
    calls: always((ground) => call(ground, 'GET', `/v1/broadcasts/${ground.held}/recount`)),
  },
  {
    name: 'exports of people',
    dear: true,
    calls: always((ground) => call(ground, 'GET', '/v1/people/export')),
  },
  {
    name: 'exports of registrations',
    calls: always((ground) => call(ground, 'GET', `/v1/webinars/${ground.webinar}/registrations/export`)),
  },
  {
    name: 'exports of recipients',
    calls: always((ground) => call(ground, 'GET', `/v1/broadcasts/${ground.sent}/recipients/export`)),
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
