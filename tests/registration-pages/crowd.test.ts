import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { formLine } from '../../src/faces/public/registration/form-line.ts';
import { OrgId } from '../../src/kernel/ids.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { newAddress, openPage, passSeconds, post, tokenIn } from './visitor.ts';

const world = useWorld({ env: { TRUST_PROXY: 'true', DATABASE_POOL_SIZE: '16' } });
/** More than the 160 calls of one organization that may be under way. */
const people = isLong ? 300 : 170;

/** As long as this is held, nobody is registered for the webinar. */
async function holdWebinar(id: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: world().databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [id]);
  return async () => {
    await holder.query('rollback');
    await holder.end();
  };
}

test('more people than calls may be under way wait for their turn, and all are registered', async () => {
  const org = await world().newOrg();
  const { url, webinar_id } = await openPage(org, { slug: 'crowd' });
  const pages = await Promise.all(
    Array.from({ length: people }, () => fetch(url).then((answer) => answer.text())),
  );
  passSeconds(world(), 3);
  const letGo = await holdWebinar(webinar_id);
  const forms = pages.map((page, at) =>
    post(
      url,
      { full_name: 'Ann', email: `ann-${at}@example.com`, token: tokenIn(page) },
      { from: newAddress() },
    ),
  );
  await vi.waitFor(async () => expect(await lockWaits(world().admin)).toBeGreaterThan(3), 20_000);
  // The forms that wait are none of its calls, nor of another's.
  const calls = Array.from({ length: 60 }, () => org.rest('GET /v1/settings'));
  expect((await (await world().newOrg()).rest('GET /v1/settings')).status).toBe(200);
  await letGo();
  const statuses = (await Promise.all(forms)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 303)).toEqual([]);
  expect((await Promise.all(calls)).filter(({ status }) => status !== 200)).toEqual([]);
  const { rows } = await world().admin.query('select from registrations where webinar_id = $1', [webinar_id]);
  expect(rows).toHaveLength(people);
});

const newOrgId = (): OrgId => OrgId.parse(randomUUID());
const staying = new AbortController().signal;
const largestForm = 64 * 1024;

test('what waits is bounded by its size, and one organization leaves room for others', async () => {
  const shed: string[] = [];
  const enter = formLine((reason) => shed.push(reason));
  const org = newOrgId();
  const waiting = Array.from({ length: 409 }, () => enter(org, largestForm, staying));
  await expect(enter(org, largestForm, staying)).rejects.toMatchObject({ kind: 'rate_limited' });
  expect(shed).toEqual(['too_many_calls']);
  const leave = await enter(newOrgId(), largestForm, staying);
  leave();
  for (const one of waiting) (await one)();
  (await enter(org, largestForm, staying))();
});

test('whoever hangs up leaves the line, and those behind go on', async () => {
  const enter = formLine(() => undefined);
  const org = newOrgId();
  const [first, ...others] = await Promise.all(Array.from({ length: 32 }, () => enter(org, 100, staying)));
  const gone = new AbortController();
  const left = enter(org, 100, gone.signal);
  const behind = enter(org, 100, staying);
  gone.abort();
  await expect(left).rejects.toMatchObject({ kind: 'rate_limited' });
  first!();
  (await behind)();
  for (const leave of others) leave();
});
