import { describe, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const routes = (operations as readonly AnyOperation[]).flatMap(({ faces }) => faces.rest);
const nobody = '0199f3a2-7c1e-7b55-9f0d-3f6f0e8a1b2c';
const pathOf = (route: string) => route.replaceAll(/:\w+/g, nobody);

/** A call with exactly these headers. */
async function call(org: TestOrg, route: string, headers: Record<string, string>): Promise<RestAnswer> {
  const [method = '', path = ''] = pathOf(route).split(' ');
  const response = await fetch(org.url + path, { method, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

let shared: Promise<TestOrg> | undefined;
/** One for every route: what is refused leaves nothing behind. */
const sharedOrg = () => (shared ??= world().newOrg());

let turn = 0;
/** In the gate a part of what is the same for every route, for each route another. */
const inTurns = <T>(all: readonly T[], parts: number): readonly T[] => {
  const part = turn++ % parts;
  return all.filter((_, at) => isLong || at % parts === part);
};

describe('AUT-001 requests and answers are JSON', () => {
  test('AUT-001 what is served has the content type application/json', async () => {
    const org = await world().newOrg();
    const person_id = await org.person({ email: 'ada@example.com' });
    const answers = [
      await org.rest('GET /v1/people'),
      await org.rest('POST /v1/people/search', { query: 'ada' }),
      await org.rest('POST /v1/property-configs', { key: 'vip', name: 'VIP', type: 'boolean' }),
      await org.rest(`PUT /v1/people/${person_id}/properties/vip`, { value: true }),
      await org.rest(`PATCH /v1/people/${person_id}/opt-outs`, { sms_opt_out: false }),
      await org.rest(`DELETE /v1/people/${person_id}`),
    ];
    for (const { status, headers, body } of answers) {
      expect(status).toBeOneOf([200, 201]);
      expect(headers.get('content-type')).toMatch(/^application\/json\b/);
      expect(body).toBeTypeOf('object');
    }
  });

  test.each(routes.filter((route) => /^(POST|PUT|PATCH)/.test(route)))(
    'AUT-001 %s takes no body of another type',
    async (route) => {
      const org = await sharedOrg();
      const before = await contentsOf(world().admin, org);
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/json'];
      for (const type of inTurns(types, 4)) {
        const { status, headers, body } = await org.rest(pathOf(route), '{}', { 'content-type': type });
        expect(status).toBe(415);
        expect(headers.get('content-type')).toMatch(/^application\/json\b/);
        expect(body.code).toBe('unsupported_media_type');
      }
      expect(await contentsOf(world().admin, org)).toEqual(before);
    },
  );

  test('AUT-001 application/json may name its charset', async () => {
    const org = await world().newOrg();
    const type = { 'content-type': 'application/json; charset=utf-8' };
    expect((await org.rest('POST /v1/people/identify', { email: 'ü@example.com' }, type)).status).toBe(200);
  });
});

describe('the key', () => {
  test('AUT-016 a call authenticates with the bare key in Authorization and Auth-Type: api', async () => {
    const org = await world().newOrg();
    const { status, body } = await call(org, 'GET /v1/people', {
      authorization: org.secret,
      'auth-type': 'api',
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { people: [] } });
  });

  test.each(routes)('AUT-016 AUT-017 %s asks for it in just that way', async (route) => {
    const org = await sharedOrg();
    const ways: Record<string, string>[] = [
      {},
      { 'auth-type': 'api' },
      { authorization: org.secret },
      { authorization: org.secret, 'auth-type': 'API' },
      { authorization: org.secret, 'auth-type': 'bearer' },
      { authorization: `Bearer ${org.secret}` },
      { authorization: `Bearer ${org.secret}`, 'auth-type': 'api' },
      { authorization: `bearer ${org.secret}`, 'auth-type': 'api' },
      { authorization: org.secret.slice(0, -1), 'auth-type': 'api' },
      { 'x-api-key': org.secret, 'auth-type': 'api' },
    ];
    for (const headers of inTurns(ways, 5)) {
      const { status, body } = await call(org, route, headers);
      expect({ headers, status, body }).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    }
    const { status } = await call(org, route, { authorization: org.secret, 'auth-type': 'api' });
    expect(status).not.toBe(401);
  });
});

test('AUT-018 the key alone decides the organization: no field, query or header selects another', async () => {
  const [mine, other] = [await world().newOrg(), await world().newOrg()];
  await mine.person({ email: 'mine@example.com' });
  const theirs = await other.person({ email: 'theirs@example.com' });
  const before = [await contentsOf(world().admin, mine), await contentsOf(world().admin, other)];
  for (const field of ['org_id', 'org', 'organization', 'organization_id', 'tenant_id', 'account_id']) {
    const written = await mine.rest('POST /v1/people/identify', {
      email: 'new@example.com',
      [field]: other.id,
    });
    expect(written.body).toMatchObject({
      status: 400,
      errors: [{ pointer: `/${field}`, code: 'unknown_field' }],
    });
    const asked = await mine.rest(`GET /v1/people?${field}=${other.id}`);
    expect(asked.body).toMatchObject({ status: 400, errors: [{ pointer: `/${field}` }] });
    const called = await mine.tool('list_people', { [field]: other.id });
    expect(called.body).toMatchObject({ status: 400, errors: [{ pointer: `/${field}` }] });
    const headers = { [`x-${field.replace('_', '-')}`]: other.id, [field]: other.id };
    const { body } = await mine.rest('GET /v1/people', undefined, headers);
    expect(body.people.map((one: { primary_email: string }) => one.primary_email)).toEqual([
      'mine@example.com',
    ]);
  }
  expect((await mine.rest(`GET /v1/people/${theirs}`)).status).toBe(404);
  expect([await contentsOf(world().admin, mine), await contentsOf(world().admin, other)]).toEqual(before);
});

test('AUT-018 a key belongs to one organization: the same secret cannot be kept for a second', async () => {
  const [mine, other] = [await world().newOrg(), await world().newOrg()];
  const steal = world().admin.query(
    `insert into api_keys (org_id, id, name, prefix, secret_hash, permissions, created_at)
     select $1, gen_random_uuid(), name, prefix, secret_hash, permissions, created_at from api_keys where id = $2`,
    [other.id, mine.keyId],
  );
  await expect(steal).rejects.toMatchObject({ code: '23505' });
});
