import { afterAll, beforeEach, expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { registerFor } from '../support/webinar.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { dailyLimit, startZoom } from '../support/zoom.ts';
import { connect, linkedWebinar, minute, pushAt, registrationOf, type Linked } from './setting.ts';

const zoom = await startZoom();
afterAll(() => zoom.stop());
const world = useWorld();

let org: TestOrg;
let linked: Linked;
beforeEach(async () => {
  zoom.behave = () => undefined;
  zoom.calls.length = 0;
  org = await world().newOrg();
  linked = await linkedWebinar(org, zoom);
});

const register = async (user: object): Promise<string> =>
  (await registerFor(org, linked.webinar, user as Record<string, unknown>)).registration_id;
const push = (at?: Date, timeoutMs?: number) => pushAt(world(), org, zoom, linked.webinar, at, timeoutMs);
const read = (id: string) => registrationOf(world(), id);
const pushes = () => zoom.calls.filter(({ what }) => what === 'register');
const later = (ms: number) => new Date(Date.now() + ms);

test('after silence it is tried twice more with pauses, then tomorrow: three calls a day and no more', async () => {
  zoom.behave = ({ what }) => (what === 'register' ? 'silent' : undefined);
  const id = await register({ email: 'ada@example.com' });
  const noon = new Date(Date.UTC(2099, 4, 5, 12));
  await world().admin.query(`update webinars set start_time = '2099-06-01T00:00:00Z' where id = $1`, [
    linked.webinar,
  ]);
  let at = noon;
  const [hours, every] = isLong ? [48, 10] : [36, 30];
  for (let minutes = 0; minutes < hours * 60; minutes += every) {
    at = new Date(noon.getTime() + minutes * minute);
    await push(at, 700);
  }
  const days = Math.floor((at.getTime() - Date.UTC(2099, 4, 5)) / 86_400_000) + 1;
  expect(pushes().length).toBe(3 * days);
  expect(await read(id)).toMatchObject({ push_state: 'pending', push_error: 'no answer came in time' });
  zoom.behave = () => undefined;
  await push(new Date(at.getTime() + 86_400_000));
  expect(await read(id)).toMatchObject({
    push_state: 'registered',
    join_url: expect.stringContaining('tk='),
  });
});

test('the daily limit of one registrant means tomorrow for them, and holds up nobody else', async () => {
  zoom.behave = ({ what, email }) =>
    what === 'register' && email.startsWith('over') ? dailyLimit(email) : undefined;
  const over = await register({ email: 'over@example.com' });
  const others = [];
  for (let n = 0; n < 30; n++) others.push(await register({ email: `p${n}@example.com` }));
  const at = later(0);
  await push(at);
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1);
  const row = await read(over);
  expect(row).toMatchObject({ push_state: 'pending', push_error: expect.stringContaining('daily') });
  expect(row.push_error).not.toContain('@');
  expect(row.push_next_at.getTime()).toBeGreaterThanOrEqual(midnight);
  for (const id of others) expect(await read(id)).toMatchObject({ push_state: 'registered' });
  zoom.behave = () => undefined;
  await push(new Date(row.push_next_at.getTime() + 1_000));
  expect(await read(over)).toMatchObject({ push_state: 'registered' });
});

test('a registrant who must be approved gets the link when the host has done it', async () => {
  zoom.behave = ({ what }) => (what === 'register' ? { pending: true } : undefined);
  const id = await register({ email: 'ada@example.com' });
  await push();
  expect(await read(id)).toMatchObject({
    push_state: 'pending',
    external_id: zoom.registrants(linked.event).get('ada@example.com')!.registrant_id,
    join_url: null,
  });
  const { external_id, push_next_at } = await read(id);
  const { id: connection } = await connect(org, zoom);
  const approved = await zoom.tell(
    `${world().url}/webhooks/zoom/${org.id}/${connection}`,
    'webinar.registration_approved',
    {
      object: {
        id: Number(linked.event),
        registrant: { id: external_id, join_url: 'https://zoom.example/j/1' },
      },
    },
  );
  expect(approved.status).toBe(200);
  expect(await read(id)).toMatchObject({ push_state: 'registered', join_url: 'https://zoom.example/j/1' });
  expect(push_next_at.getTime()).toBeGreaterThan(Date.now());
});
