import { afterAll, describe, expect, test } from 'vitest';
import { registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { attendees, hour, linkedWebinar, syncAt, startPlatforms } from './setting.ts';

const platforms = await startPlatforms();
afterAll(() => Promise.all(platforms.map((platform) => platform.stop())));
const world = useWorld();

describe.each(platforms)('$platform', (platform) => {
  test('a row of a report that the database would refuse is nobody’s, and the others of its page count', async () => {
    const org = await world().newOrg();
    const { webinar, event, start } = await linkedWebinar(org, platform);
    await registerFor(org, webinar, { email: 'ada@example.com' });
    platform.report(event, [{ user_email: 'no\0body@example.com' }, { user_email: 'ada@example.com' }]);
    const read = await syncAt(world(), org, platform, webinar, new Date(start.getTime() + 2 * hour));
    expect(read).toMatchObject({ outcome: 'read' });
    expect(await attendees(world(), webinar)).toEqual(['ada@example.com']);
  });
});

test('an empty page of a report at Zoom that leads on is not its end', async () => {
  const zoom = platforms.find(({ platform }) => platform === 'zoom')!;
  const org = await world().newOrg();
  const { webinar, event, start } = await linkedWebinar(org, zoom);
  await registerFor(org, webinar, { email: 'ada@example.com' });
  zoom.report(event, [{ user_email: 'ada@example.com' }]);
  zoom.behave = ({ what, page }) =>
    what === 'report' && page === '' ? { raw: '{"participants":[],"next_page_token":"page-0"}' } : undefined;
  const read = await syncAt(world(), org, zoom, webinar, new Date(start.getTime() + 2 * hour));
  expect(read).toMatchObject({ outcome: 'read' });
  expect(await attendees(world(), webinar)).toEqual(['ada@example.com']);
});
