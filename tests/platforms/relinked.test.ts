import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import {
  attendees,
  hour,
  link,
  linkedWebinar,
  linkOf,
  syncAt,
  type Linked,
  startPlatforms,
} from './setting.ts';

const platforms = await startPlatforms();
afterAll(() => Promise.all(platforms.map((platform) => platform.stop())));
const world = useWorld();

describe.each(platforms)('$platform', (platform) => {
  let org: TestOrg;
  let linked: Linked;
  beforeEach(async () => {
    platform.behave = () => undefined;
    platform.calls.length = 0;
    org = await world().newOrg();
    linked = await linkedWebinar(org, platform);
  });

  test('whoever still reads the report of a former event writes nothing once the webinar was unlinked and linked anew', async () => {
    const { webinar, event, connection, start } = linked;
    for (const email of ['former@example.com', 'late@example.com'])
      await registerFor(org, webinar, { email });
    const other = platform.newEvent();
    platform.report(event, [{ user_email: 'former@example.com' }]);
    const answering = { former: Promise.withResolvers<void>(), latter: Promise.withResolvers<void>() };
    platform.behave = ({ what, event: asked }) =>
      what === 'report'
        ? { after: (asked === event ? answering.former : answering.latter).promise }
        : undefined;
    const read = () => syncAt(world(), org, platform, webinar, new Date(start.getTime() + 2 * hour));
    const reportsAsked = () => platform.calls.filter(({ what }) => what === 'report').length;

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

    platform.report(other, [{ user_email: 'late@example.com' }]);
    answering.latter.resolve();
    expect(await latter).toEqual({ outcome: 'read', strangers: 0 });
    expect(await attendees(world(), webinar)).toEqual(['late@example.com']);
  });
});
