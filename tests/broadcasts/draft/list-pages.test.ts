import { expect, test } from 'vitest';
import { newDraft, newWebinar } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { putInState, read, type Json } from './draft-ways.ts';

const world = useWorld();

const idsOf = (broadcasts: readonly Json[]): string[] => broadcasts.map(({ id }) => id);

async function list(org: TestOrg, query = ''): Promise<Json> {
  const { status, body } = await org.rest(`GET /v1/broadcasts${query}`);
  if (status !== 200) throw new Error(`list_broadcasts answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

test('STA-008 STA-009 pages of at most 200 skip nothing and repeat nothing', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org);
  const { id } = await newDraft(org, { audience: 'webinar', webinar_id });
  // All of one moment: the order among them is that of their ids.
  await world().admin.query(
    `insert into broadcasts (org_id, id, channel, audience, webinar_id, created_by, created_at, updated_at)
     select org_id, gen_random_uuid(), channel, audience, webinar_id, created_by, created_at, updated_at
     from broadcasts, generate_series(1, 449) where id = $1`,
    [id],
  );
  for (const filter of ['', `&webinar_id=${webinar_id}`, '&status=draft&channel=email']) {
    const paged: string[] = [];
    for (const offset of [0, 200, 400]) {
      const page = await list(org, `?limit=200&offset=${offset}${filter}`);
      expect(page).toMatchObject({ total: 450, limit: 200, offset });
      paged.push(...idsOf(page.broadcasts));
    }
    expect(new Set(paged).size).toBe(450);
    expect(paged).toEqual(paged.toSorted().toReversed());
    expect(idsOf((await list(org, `?offset=0${filter}`)).broadcasts)).toEqual(paged.slice(0, 50));
    expect(idsOf((await list(org, `?limit=3&offset=198${filter}`)).broadcasts)).toEqual(
      paged.slice(198, 201),
    );
    expect((await list(org, `?offset=450${filter}`)).broadcasts).toEqual([]);
  }
});

test('STA-008 STA-009 a page that is out of range is refused, never clamped', async () => {
  const org = await world().newOrg();
  for (const [query, pointer] of [
    ['limit=201', '/limit'],
    ['limit=0', '/limit'],
    ['limit=-1', '/limit'],
    ['limit=many', '/limit'],
    ['limit=1.5', '/limit'],
    ['offset=-1', '/offset'],
    ['page=2', '/page'],
  ] as const) {
    const { status, body } = await org.rest(`GET /v1/broadcasts?${query}`);
    const refused = { query, status: 400, errors: [{ pointer }] };
    expect({ query, status, errors: body.errors }).toMatchObject(refused);
  }
});

test('STA-002 reading writes nothing and leaves every state as it was', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org);
  const email = (await newDraft(org, { audience: 'everyone' })).id;
  const text = (await newDraft(org, { channel: 'sms', audience: 'webinar', webinar_id })).id;
  const scheduled = (await newDraft(org, { audience: 'everyone' })).id;
  await putInState(world(), scheduled, 'scheduled');
  await newSender(world(), org);
  const before = await contentsOf(world().admin, org);
  for (const id of [email, text, scheduled]) {
    await read(org, id);
    expect((await org.rest(`GET /v1/broadcasts/${id}/stats`)).status).toBe(200);
    expect((await org.tool('get_broadcast_stats', { broadcast_id: id })).isError).toBe(false);
  }
  await list(org, `?webinar_id=${webinar_id}&status=draft`);
  for (const path of ['/v1/broadcasts/variables', '/v1/senders']) {
    expect((await org.rest(`GET ${path}`)).status).toBe(200);
  }
  for (const tool of ['list_broadcast_variables', 'list_senders']) await org.tool(tool);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('TEN-015 TEN-004 each organization lists its own broadcasts and senders alone', async () => {
  const [mine, theirs] = [await world().newOrg(), await world().newOrg()];
  const ids = new Map<TestOrg, { broadcast: string; sender: string }>();
  for (const org of [mine, theirs]) {
    const broadcast = (await newDraft(org, { audience: 'everyone' })).id;
    ids.set(org, { broadcast, sender: await newSender(world(), org) });
  }
  for (const [org, own] of ids) {
    const { broadcasts, total } = await list(org);
    expect([idsOf(broadcasts), total]).toEqual([[own.broadcast], 1]);
    for (const body of [(await org.rest('GET /v1/senders')).body, (await org.tool('list_senders')).body]) {
      expect(idsOf(body.senders)).toEqual([own.sender]);
    }
  }
  expect((await mine.rest(`GET /v1/broadcasts/${ids.get(theirs)!.broadcast}`)).status).toBe(404);
  const empty = await world().newOrg();
  expect(await list(empty)).toMatchObject({ broadcasts: [], total: 0, limit: 50, offset: 0 });
});
