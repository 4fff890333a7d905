import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi } from '../../src/main/start-api.ts';
import { withRows } from '../support/import.ts';
import { commit, tokenOf } from '../support/import-preview.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

// In one process the commits of an organization take turns; only in two are they really at once.
let second: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  second = await startApi({ ...world().config, PORT: 0 }, pino({ level: 'silent' }), {
    observe: () => undefined,
    shed: () => undefined,
  });
});
afterAll(() => second.close());

/** The same organization, served by the other process. */
const elsewhere = ({ id, keyId, secret }: TestOrg) => new TestOrg(second.url, id, keyId, secret);

test('of two commits of one token at once exactly one wins, and the engine is told once', async () => {
  const org = await world().newOrg();
  const lost = new Set<string>();
  for (let round = 0; round < 20; round++) {
    const id = await withRows(org, { mail: 'email', size: { new_property: newProperty(round) } }, [
      { mail: `p${round}@example.com`, size: 1 },
    ]);
    const token = await tokenOf(org, id);
    const answers = await Promise.all([commit(org, token), commit(elsewhere(org), token)]);
    const [won, refused] = answers.toSorted((a, b) => a.status - b.status);
    expect([won?.status, refused?.status]).toEqual([200, 409]);
    lost.add(refused?.body.code);
    const { rows } = await world().admin.query(
      `select (select count(*)::int from outbox where payload->>'import_id' = $1) as told,
         (select count(*)::int from property_configs where org_id = $2) as configs`,
      [id, org.id],
    );
    expect(rows).toEqual([{ told: 1, configs: round + 1 }]);
  }
  for (const code of lost) expect(['import_busy', 'import_committed']).toContain(code);
});

test('a commit beside a call that appends: one of the two is refused, or the rows came after', async () => {
  const org = await world().newOrg();
  for (let round = 0; round < 20; round++) {
    const id = await withRows(org, { mail: 'email' }, [{ mail: `q${round}@example.com` }]);
    const token = await tokenOf(org, id);
    const rows = [{ mail: `r${round}@example.com` }];
    const [committed, appended] = await Promise.all([
      commit(org, token),
      org.rest(`POST /v1/imports/${id}/rows`, { rows }),
    ]);
    expect(new Set([committed.status, appended.status])).toEqual(new Set([200, 409]));
    const { body } = await org.rest(`GET /v1/imports/${id}`);
    expect([body.status, body.total_rows]).toEqual(
      committed.status === 200 ? ['committing', 1] : ['mapped', 2],
    );
  }
});

test('two commits that create the same property: the second finds it there and is refused', async () => {
  const org = await world().newOrg();
  for (let round = 0; round < 10; round++) {
    const mapping = { mail: 'email', size: { new_property: newProperty(round) } };
    const tokens: string[] = [];
    for (const one of ['a', 'b']) {
      const id = await withRows(org, mapping, [{ mail: `${one}${round}@example.com`, size: 1 }]);
      tokens.push(await tokenOf(org, id));
    }
    const answers = await Promise.all([commit(org, tokens[0]!), commit(elsewhere(org), tokens[1]!)]);
    const [won, refused] = answers.toSorted((a, b) => a.status - b.status);
    expect([won?.status, refused?.status, refused?.body.code]).toEqual([200, 409, 'import_changed']);
    expect(refused?.body.errors).toMatchObject([{ pointer: '/property_configs' }]);
  }
});

const newProperty = (round: number) => ({ key: `size_${round}`, name: 'Size', type: 'number' });
