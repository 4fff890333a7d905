import { afterAll, expect, test } from 'vitest';
import { registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { startZoom } from '../support/zoom.ts';
import { attendees, hour, linkedWebinar, syncAt } from './setting.ts';

const zoom = await startZoom();
afterAll(() => zoom.stop());
const world = useWorld();

test('a row of a report that the database would refuse is nobody’s, and the others of its page count', async () => {
  const org = await world().newOrg();
  const { webinar, event, start } = await linkedWebinar(org, zoom);
  await registerFor(org, webinar, { email: 'ada@example.com' });
  zoom.report(event, [{ user_email: 'no\0body@example.com' }, { user_email: 'ada@example.com' }]);
  const read = await syncAt(world(), org, zoom, webinar, new Date(start.getTime() + 2 * hour));
  expect(read).toMatchObject({ outcome: 'read' });
  expect(await attendees(world(), webinar)).toEqual(['ada@example.com']);
});
