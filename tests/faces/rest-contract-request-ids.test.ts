import { expect, test, vi } from 'vitest';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

interface Line {
  readonly request_id?: string;
  readonly org_id?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly result?: string;
  readonly face?: string;
}

/** The log lines of a request; its own is written when the answer has left. */
const linesOf = (requestId: string): Promise<Line[]> =>
  vi.waitFor(() => {
    const lines = world()
      .logLines.map((line): Line => JSON.parse(line))
      .filter((line) => line.request_id === requestId);
    expect(lines).not.toEqual([]);
    return lines;
  }, 20_000);

async function auditOf(org: TestOrg): Promise<Record<string, unknown>[]> {
  const { rows } = await world().admin.query(
    `select request_id, actor_kind, actor_id, face, host(address) as address, operation, ids, reason
     from audit_log where org_id = $1 order by at, id`,
    [org.id],
  );
  return rows;
}

const idOf = ({ headers }: RestAnswer): string => headers.get('request-id') ?? 'none';

test('every answer has a Request-Id, and no two the same', async () => {
  const org = await world().newOrg();
  const routes = ['GET /v1/people', 'GET /v1/people?limit=0', 'GET /v1/nothing', 'POST /v1/people/identify'];
  const others = ['GET /health', 'GET /v1/openapi.json', 'GET /docs/errors'];
  const mcp = ['POST /mcp', 'GET /mcp'];
  const ids: string[] = [];
  for (const route of [...routes, ...others, ...mcp]) {
    ids.push(
      idOf(await org.rest(route)),
      idOf(await org.rest(route, undefined, { authorization: 'nobody' })),
    );
  }
  expect(
    ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)),
  ).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the id of a request is on its audit row and its log line', async () => {
  const org = await world().newOrg();
  const identified = await org.rest('POST /v1/people/identify', { email: 'ada@example.com' });
  const { person_id } = identified.body;
  const deleted = await org.rest(`DELETE /v1/people/${person_id}?reason=asked`);
  const who = { actor_kind: 'api_key', actor_id: org.keyId, face: 'rest', address: '127.0.0.1' };
  expect(await auditOf(org)).toMatchObject([
    { ...who, request_id: idOf(identified), operation: 'identify_person', ids: { person_id }, reason: null },
    { ...who, request_id: idOf(deleted), operation: 'delete_person', ids: { person_id }, reason: 'asked' },
  ]);
  for (const [answer, operation] of [
    [identified, 'identify_person'],
    [deleted, 'delete_person'],
  ] as const) {
    expect(await linesOf(idOf(answer))).toMatchObject([
      { org_id: org.id, face: 'rest', operation, status: 200 },
    ]);
  }
});

test('a tool call is audited and logged in the same way', async () => {
  const org = await world().newOrg();
  const response = await fetch(`${org.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'identify_person', arguments: { phone: '+15550001111' } },
    }),
  });
  const requestId = response.headers.get('request-id') ?? 'none';
  const { result } = (await response.json()) as { result: { structuredContent: { person_id: string } } };
  const { person_id } = result.structuredContent;
  expect(await auditOf(org)).toEqual([
    {
      request_id: requestId,
      actor_kind: 'api_key',
      actor_id: org.keyId,
      face: 'mcp',
      address: '127.0.0.1',
      operation: 'identify_person',
      ids: expect.objectContaining({ person_id }),
      reason: null,
    },
  ]);
  expect(await linesOf(requestId)).toMatchObject([
    { org_id: org.id, face: 'mcp', operation: 'identify_person', result: 'ok' },
  ]);
});

test('a refusal is logged with its status and leaves no audit row', async () => {
  const org = await world().newOrg();
  const refused = await org.rest('POST /v1/people/identify', { first_name: 'Ada' });
  expect(await linesOf(idOf(refused))).toMatchObject([
    { operation: 'identify_person', status: 400, org_id: org.id },
  ]);
  const stranger = await org.rest('GET /v1/people', undefined, { authorization: 'nobody' });
  expect(await linesOf(idOf(stranger))).toMatchObject([{ operation: 'list_people', status: 401 }]);
  const { body } = await org.tool('delete_person', { person_id: 'nobody' });
  expect(await linesOf(body.request_id)).toMatchObject([
    { operation: 'delete_person', result: 'invalid_request' },
  ]);
  expect(await auditOf(org)).toEqual([]);
});

test('reading leaves no audit row, nor does a call that changed nothing', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  await org.rest(`GET /v1/people/${person_id}`);
  await org.tool('list_people');
  await org.person({ email: 'ada@example.com' });
  expect(await auditOf(org)).toHaveLength(1);
});

test('a request id that the caller sends is not taken over', async () => {
  const org = await world().newOrg();
  const answer = await org.rest('GET /v1/people', undefined, {
    'request-id': 'mine',
    'x-request-id': 'mine',
  });
  expect(idOf(answer)).not.toBe('mine');
});
