import { expect, test } from 'vitest';
import { auditOf } from '../support/audit.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const paying = {
  name: 'Paying',
  filters: { subscription_status: 'active', mrr_gte: 20, created_after: '2026-01-01' },
  sort: 'mrr',
  order: 'desc',
  columns: ['health_band', 'mrr'],
};

test('a view is saved, listed as it was sent, replaced under its name, and deleted', async () => {
  const org = await world().newOrg();
  const made = await org.rest('POST /v1/people-views', paying);
  expect(made).toMatchObject({ status: 201, body: { created: true, view: paying } });
  await org.rest('POST /v1/people-views', { name: 'All of them' });
  const again = await org.rest('POST /v1/people-views', { ...paying, name: 'PAYING', sort: 'ltv' });
  expect(again).toMatchObject({
    status: 200,
    body: { created: false, view: { name: 'PAYING', sort: 'ltv' } },
  });
  expect(again.body.view.id).toBe(made.body.view.id);
  const { body } = await org.rest('GET /v1/people-views');
  expect(body.views.map(({ name }: { name: string }) => name)).toEqual(['PAYING', 'All of them']);
  expect(body.views[1]).toMatchObject({ filters: {} });
  const view_id = made.body.view.id;
  expect((await org.rest(`DELETE /v1/people-views/${view_id}`)).body).toEqual({ deleted: true, view_id });
  expect((await org.rest(`DELETE /v1/people-views/${view_id}`)).status).toBe(404);
  expect(await auditOf(world(), org, 'save_people_view')).toHaveLength(3);
  expect(await auditOf(world(), org, 'delete_people_view')).toMatchObject([{ ids: { view_id } }]);
});

test('a view takes what a list of people takes, and a page of them is bounded', async () => {
  const org = await world().newOrg();
  for (const [wrong, pointer] of [
    [{ name: ' ' }, '/name'],
    [{ name: 'x'.repeat(61) }, '/name'],
    [{ name: 'A', filters: { shoe_size: 43 } }, '/filters/shoe_size'],
    [{ name: 'A', filters: { health_band: 'splendid' } }, '/filters/health_band'],
    [{ name: 'A', filters: { created_after: 'soon' } }, '/filters/created_after'],
    [{ name: 'A', sort: 'shoe_size' }, '/sort'],
    [{ name: 'A', columns: ['mrr', 'mrr'] }, '/columns'],
    [{ name: 'A', columns: ['password'] }, '/columns/0'],
  ] as const) {
    const { status, body } = await org.rest('POST /v1/people-views', wrong);
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  }
  const names = Array.from({ length: 50 }, (_, n) => `View ${n}`);
  for (const name of names) await org.rest('POST /v1/people-views', { name });
  const one = await org.rest('POST /v1/people-views', { name: 'One more' });
  expect(one).toMatchObject({ status: 400, body: { detail: expect.stringContaining('50 views') } });
  expect((await org.rest('POST /v1/people-views', { name: 'view 7', sort: 'mrr' })).status).toBe(200);
});
