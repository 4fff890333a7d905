import type { KyselyPlugin } from 'kysely';
import type { Work } from '../../src/database/work.ts';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';

/** Runs what has no face of its own inside an organization, as an operation would, and counts its queries. */
export async function inOrg<T>(
  world: World,
  org: TestOrg,
  run: (work: Work) => Promise<T>,
  currency = 'USD',
): Promise<{ result: T; queries: number }> {
  let queries = 0;
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries++;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const result = await orgTransaction(world.database, org.id, 'read', (db) => {
    const now = world.clock.now();
    const work = { db: db.withPlugin(count), org: org.id, now, caller: { currency, now }, touched: {} };
    return run(work as unknown as Work);
  });
  return { result, queries };
}

/** An organization with four custom properties, of every type. */
export async function newPropertyOrg(world: World): Promise<TestOrg> {
  const org = await world.newOrg();
  const types = { plan: 'string', Renewal: 'string', seats: 'number', vip: 'boolean' };
  for (const [key, type] of Object.entries(types)) {
    await org.rest('POST /v1/property-configs', { key, name: `The ${key}`, type });
  }
  return org;
}
