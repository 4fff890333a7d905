import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('a page of segments whose filters are too long together is refused, and says how many fit', async () => {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'tier', name: 'Tier', type: 'string' });
  const values = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(8_000)}`);
  for (let n = 0; n < 4; n++) {
    const made = await org.rest('POST /v1/segments', {
      name: `Long ${n}`,
      filters: [{ custom_property_key: 'tier', op: 'in', values }],
    });
    expect([made.status, made.body.detail]).toEqual([201, undefined]);
  }
  const refused = await org.rest('GET /v1/segments');
  expect(refused).toMatchObject({ status: 413, body: { code: 'too_large' } });
  expect(refused.body.detail).toMatch(/limit 2\.$/);
  expect((await org.rest('GET /v1/segments?limit=2')).body.segments).toHaveLength(2);
  expect((await org.rest('GET /v1/segments?limit=2&offset=2')).body.segments).toHaveLength(2);
});
