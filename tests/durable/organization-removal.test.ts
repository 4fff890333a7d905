import { expect, test } from 'vitest';
import { sweep } from '../../src/durable/sweep.ts';
import { auditOf } from '../support/audit.ts';
import { deleteOrg } from '../support/org-state.ts';
import { rowsOf } from '../support/rows-of.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ engine: true });
const soon = { timeout: 60_000, interval: 50 };

test('its keys end at once, the engine removes it, and the sweep tells the engine again of one that was lost', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'a@example.com' });
  const { admin, database } = world();
  await admin.query('begin; lock table tracking_hits in access exclusive mode'); // keeps the engine from going on
  try {
    expect([await deleteOrg(world(), org), await deleteOrg(world(), org)]).toEqual([true, false]);
    expect(await auditOf(world(), org, 'delete_organization')).toMatchObject([{ actor_id: 'operator' }]);
    const state = async () => (await org.rest('GET /v1/people')).status;
    await expect.poll(state, soon).toBe(401);
  } finally {
    await admin.query('commit');
  }
  await expect.poll(() => rowsOf(world(), org), soon).toEqual({ organization_removals: 1 });

  const lost = await world().newOrg();
  await admin.query(`update organizations set state = 'deleting' where id = $1`, [lost.id]);
  await admin.query(
    `insert into organization_removals (org_id, asked_at, run_at) values ($1, now(), now())`,
    [lost.id],
  );
  await sweep(database, new Date(Date.now() + 120_000));
  await expect.poll(() => rowsOf(world(), lost), soon).toEqual({ organization_removals: 1 });
});
