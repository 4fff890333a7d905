import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const routes = (operations as readonly AnyOperation[]).flatMap(({ faces }) => faces.rest);

test('VER-001 every path of the interface description begins with /v1', async () => {
  const org = await world().newOrg();
  const { body } = await org.rest('GET /v1/openapi.json');
  const paths = Object.keys(body.paths);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !path.startsWith('/v1/'))).toEqual([]);
});

test.each(routes)('VER-001 %s is served there and not without its version', async (route) => {
  const org = await world().newOrg();
  const path = route.replaceAll(/:\w+/g, '0199f3a2-7c1e-7b55-9f0d-3f6f0e8a1b2c');
  expect((await org.rest(path)).body.code).not.toBe('route_not_found');
  for (const other of ['/', '/v2/', '/V1/']) {
    const { status, body } = await org.rest(path.replace('/v1/', other));
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'route_not_found' });
  }
});

test('VER-002 the interface description is versioned 1.0.0', async () => {
  const org = await world().newOrg();
  const { status, body } = await org.rest('GET /v1/openapi.json');
  expect(status).toBe(200);
  expect(body.info.version).toBe('1.0.0');
});
