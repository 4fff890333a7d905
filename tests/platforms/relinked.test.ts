import { afterAll, beforeEach, expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { startZoom } from '../support/zoom.ts';
import { attendees, hour, link, linkedWebinar, linkOf, newEvent, syncAt, type Linked } from './setting.ts';

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

test('whoever still reads the report of a former event writes nothing once the webinar was unlinked and linked anew', async () => {
  const { webinar, event, connection, start } = linked;
  for (const email of ['former@example.com', 'late@example.com']) await registerFor(org, webinar, { email });
  const other = newEvent();
  zoom.report(event, [{ user_email: 'former@example.com' }]);
  const answering = { former: Promise.withResolvers<void>(), latter: Promise.withResolvers<void>() };
  zoom.behave = ({ what, event: asked }) =>
    what === 'report'
      ? { after: (asked === event ? answering.former : answering.latter).promise }
      : undefined;
  const read = () => syncAt(world(), org, zoom, webinar, new Date(start.getTime() + 2 * hour));
  const reportsAsked = () => zoom.calls.filter(({ what }) => what === 'report').length;

  const former = read();
  await expect.poll(reportsAsked).toBe(1);
  expect((await org.rest(`DELETE /v1/webinars/${webinar}/platform`)).status).toBe(200);
  await link(org, webinar, connection, other);
  const latter = read();
  await expect.poll(reportsAsked).toBe(2);
  answering.former.resolve();
  expect(await former).toEqual({ outcome: 'not_due' });
  expect(await attendees(world(), webinar)).toEqual([]);
  expect(await linkOf(world(), webinar)).toMatchObject({ event_id: other, synced_at: null });

  zoom.report(other, [{ user_email: 'late@example.com' }]);
  answering.latter.resolve();
  expect(await latter).toEqual({ outcome: 'read', strangers: 0 });
  expect(await attendees(world(), webinar)).toEqual(['late@example.com']);
});
