import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from 'sdk-v1/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from 'sdk-v1/client/streamableHttp.js';
import { afterEach, describe, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { permissions } from '../../src/kernel/caller.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

interface Result {
  readonly isError: boolean;
  readonly structured: unknown;
  readonly text: string;
}

/** What the tests ask of a client, whichever it is. */
interface Connected {
  names(): Promise<string[]>;
  call(name: string, input: Record<string, unknown>): Promise<Result>;
  close(): Promise<void>;
}

const about = { name: 'a client of the tests', version: '1.0.0' };

async function connectV1(url: URL, headers: Record<string, string>): Promise<Connected> {
  const client = new ClientV1(about);
  // The transport's own optional fields are not exact, so its type does not say that it is one.
  await client.connect(new HttpV1(url, { requestInit: { headers } }) as Parameters<typeof client.connect>[0]);
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => toResult(await client.callTool({ name, arguments: input })),
    close: () => client.close(),
  };
}

const connectV2 =
  (mode: 'legacy' | { pin: string }) =>
  async (url: URL, headers: Record<string, string>): Promise<Connected> => {
    const client = new ClientV2(about, { versionNegotiation: { mode } });
    await client.connect(new HttpV2(url, { requestInit: { headers } }));
    return {
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, input) => toResult(await client.callTool({ name, arguments: input })),
      close: () => client.close(),
    };
  };

function toResult(result: object): Result {
  const { isError, structuredContent, content } = result as {
    isError?: boolean;
    structuredContent?: unknown;
    content: { text: string }[];
  };
  return { isError: isError === true, structured: structuredContent, text: content[0]?.text ?? '' };
}

const open: Connected[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const offered = operations.flatMap((one) => ('tool' in one.faces ? [one] : []));
const bearer = (org: TestOrg) => ({ authorization: `Bearer ${org.secret}` });
const bare = (org: TestOrg) => ({ authorization: org.secret, 'auth-type': 'api' });

describe.each([
  ['the client of SDK 1.32', connectV1],
  ['the v2 client, speaking 2025-11-25', connectV2('legacy')],
  ['the v2 client, speaking 2026-07-28', connectV2({ pin: '2026-07-28' })],
] as const)('%s', (_, connect) => {
  async function connectAs(org: TestOrg, headers = bearer(org)): Promise<Connected> {
    const client = await connect(new URL(`${org.url}/mcp`), headers);
    open.push(client);
    return client;
  }

  test.each([
    ['a bearer key', bearer],
    ['a bare key and Auth-Type: api', bare],
  ])('TOL-001 lists and calls tools with %s', async (_how, headers) => {
    const org = await world().newOrg();
    const client = await connectAs(org, headers(org));
    expect(await client.names()).toEqual(offered.map(({ name }) => name));
    const made = await client.call('identify_person', { email: 'Tess@Example.com', first_name: 'Tess' });
    expect(made).toMatchObject({ isError: false, structured: { created: true } });
    const { person_id } = made.structured as { person_id: string };
    const read = await client.call('get_person', { person_id });
    expect(read).toMatchObject({
      isError: false,
      structured: { person: { id: person_id, primary_email: 'tess@example.com', first_name: 'Tess' } },
    });
    expect(JSON.parse(read.text)).toEqual(read.structured);
  });

  test('a refusal reaches the caller whole, although the tool has an output schema', async () => {
    const org = await world().newOrg();
    const client = await connectAs(org);
    await client.names(); // from here on the client knows the output schemas
    const refused = await client.call('list_people', { health_band: 'splendid' });
    expect(refused.isError).toBe(true);
    expect(refused.structured).toEqual({
      type: '/docs/errors/invalid_request',
      title: 'The request is not valid',
      status: 400,
      code: 'invalid_request',
      detail: refused.text,
      instance: '/mcp',
      request_id: expect.any(String),
      errors: [
        {
          pointer: '/health_band',
          code: 'invalid_value',
          detail: expect.stringContaining('critical, low, moderate, healthy, power'),
          allowed: ['critical', 'low', 'moderate', 'healthy', 'power'],
        },
      ],
    });
    const missing = await client.call('get_person', { person_id: '0199aaaa-0000-7000-8000-000000000000' });
    expect(missing).toMatchObject({ isError: true, structured: { code: 'not_found', status: 404 } });
  });

  test('AUT-022 a smaller key sees fewer tools, and one left out is refused when called all the same', async () => {
    const org = await world().newOrg();
    const person_id = await org.person({ email: 'stays@example.com' });
    const small = await world().newKey(org, ['people.read']);
    const client = await connectAs(small);
    const seen = await client.names();
    expect(seen).toEqual(offered.filter((one) => one.permission === 'people.read').map(({ name }) => name));
    expect(seen).not.toContain('delete_person');
    const before = await snapshot(org);
    const refused = await client.call('delete_person', { person_id });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('people.delete'),
      structured: { code: 'forbidden', status: 403, detail: expect.stringContaining('people.delete') },
    });
    expect(await snapshot(org)).toEqual(before);
  });

  test('a key without any permission for tools sees an empty list', async () => {
    const org = await world().newOrg();
    const rest = permissions.filter((name) => !offered.some(({ permission }) => permission === name));
    const client = await connectAs(await world().newKey(org, rest));
    expect(await client.names()).toEqual([]);
  });

  test('an unknown tool is a protocol error, not a result', async () => {
    const client = await connectAs(await world().newOrg());
    await expect(client.call('launch_rocket', {})).rejects.toThrow(/launch_rocket/);
  });

  test('a key that nobody has does not connect', async () => {
    const org = await world().newOrg();
    const nobody = { authorization: `Bearer rk_test_${'0'.repeat(43)}` };
    await expect(connectAs(org, nobody)).rejects.toThrow(/401|unauthori|No valid credential/i);
  });
});

async function snapshot(org: TestOrg): Promise<unknown> {
  const { rows } = await world().admin.query(
    `select (select json_agg(p order by id) from people p where org_id = $1) as people,
       (select count(*) from audit_log where org_id = $1) as audited`,
    [org.id],
  );
  return rows[0];
}
