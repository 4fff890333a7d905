import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { nextDay } from '../../src/domain/webinars/platforms/next-day.ts';
import { pushRegistrants } from '../../src/domain/webinars/platforms/push-registrants.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import {
  connectorsTo,
  link,
  linkedWebinar,
  linkOf,
  pushAt,
  registrationOf,
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
    org = await world().newOrg();
    linked = await linkedWebinar(org, platform);
  });

  /** The one that is called by the address survives, and has the number from then on. */
  async function merge(email: string, phone: string): Promise<void> {
    const { status } = await org.rest('POST /v1/people/identify', { email, phone });
    expect(status).toBe(200);
  }

  test('who registered before the link and is merged while the others are found is pushed, whoever survives', async () => {
    const { id: webinar } = await createWebinar(org);
    await org.person({ email: 'survivor@example.com' });
    await world().admin.query(
      `with made as (
         insert into people (org_id, id, first_name, primary_email, created_at, updated_at)
         select $1, new_id(now()), 'P', 'p' || n || '@example.com', now(), now() from generate_series(1, 250) n
         returning id)
       insert into registrations (org_id, id, webinar_id, person_id, registered_at)
       select $1, gen_random_uuid(), $2, id, now() from made`,
      [org.id, webinar],
    );
    const { registration_id } = await registerFor(org, webinar, {
      phone: '+447911123456',
      email: 'late@example.com',
    });
    const { event_id } = await link(org, webinar, linked.connection, platform.newEvent());
    const parts = {
      database: world().database,
      keys: keyring(world().config),
      mail: mailSettings(world().config),
      clock: systemClock,
      connectors: connectorsTo(platform),
    };
    let next = await pushRegistrants(parts, { org: org.id, webinar }); // finds the first two hundred
    expect((await linkOf(world(), webinar)).push_after).not.toBeNull();
    await merge('survivor@example.com', '+447911123456');
    while (next?.waitMs === 0) next = await pushRegistrants(parts, { org: org.id, webinar, ...next });
    await pushAt(world(), org, platform, webinar);
    expect(platform.registrants(event_id).size).toBe(251);
    expect(await registrationOf(world(), registration_id)).toMatchObject({
      push_state: 'registered',
      join_url: platform.registrants(event_id).get('survivor@example.com')?.join_url,
    });
    const { body } = await org.rest(`GET /v1/webinars/${webinar}/platform`);
    expect(body.platform_link.registrants).toEqual({ pending: 0, registered: 251, refused: 0 });
  });

  test('a registrant who waits for approval and is merged is still asked about the next day', async () => {
    const { webinar, event } = linked;
    const { registration_id } = await registerFor(org, webinar, { phone: '+447911123456' });
    await pushAt(world(), org, platform, webinar); // without an address nobody takes them
    platform.behave = ({ what }) => (what === 'register' ? { pending: true } : undefined);
    await registerFor(org, webinar, { email: 'ada@example.com' });
    await pushAt(world(), org, platform, webinar);
    await merge('ada@example.com', '+447911123456');
    expect(await registrationOf(world(), registration_id)).toMatchObject({ push_state: 'pending' });
    platform.behave = () => undefined;
    await pushAt(world(), org, platform, webinar, new Date(nextDay(new Date()).getTime() + 60_000));
    expect(await registrationOf(world(), registration_id)).toMatchObject({
      push_state: 'registered',
      join_url: platform.registrants(event).get('ada@example.com')!.join_url,
    });
  });
});
