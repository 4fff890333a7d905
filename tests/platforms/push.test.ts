import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '../../src/durable/sweep.ts';
import { resume, suspend } from '../support/org-state.ts';
import type { TestOrg } from '../support/test-org.ts';
import { arrangeWorkflow, createWebinar, registerFor } from '../support/webinar.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import {
  connect,
  link,
  linkedWebinar,
  linkOf,
  minute,
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
    platform.calls.length = 0;
    org = await world().newOrg();
    linked = await linkedWebinar(org, platform);
  });

  const register = async (user: object): Promise<string> =>
    (await registerFor(org, linked.webinar, user as Record<string, unknown>)).registration_id;
  const push = (at?: Date, timeoutMs?: number) =>
    pushAt(world(), org, platform, linked.webinar, at, timeoutMs);
  const read = (id: string) => registrationOf(world(), id);
  const pushes = () => platform.calls.filter(({ what }) => what === 'register');
  const later = (ms: number) => new Date(Date.now() + ms);
  const outbox = async () =>
    (
      await world().admin.query<{ service: string; payload: Record<string, string> }>(
        "select service, payload from outbox where org_id = $1 and service = 'PlatformPush'",
        [org.id],
      )
    ).rows;

  test('REG-003 REG-004 a registrant is pushed to the linked event, and the personal link is stored', async () => {
    const id = await register({ email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' });
    expect(await read(id)).toMatchObject({ push_state: 'pending', join_url: null });
    expect(platform.calls).toEqual([]);
    expect(await outbox()).toContainEqual({
      service: 'PlatformPush',
      payload: { org_id: org.id, push_webinar_id: linked.webinar },
    });
    await push();
    const known = platform.registrants(linked.event).get('ada@example.com')!;
    expect(await read(id)).toMatchObject({
      push_state: 'registered',
      push_next_at: null,
      external_id: known.registrant_id,
      join_url: known.join_url,
    });
    expect(pushes().map(({ body }) => Object.values(body))).toEqual([
      expect.arrayContaining(['ada@example.com', 'Ada', 'Lovelace']),
    ]);
    const { body } = await org.rest(`GET /v1/webinars/${linked.webinar}/registrations`);
    expect(body.registrations).toMatchObject([{ registration_id: id, join_url: known.join_url }]);
  });

  test('REG-003 the tool registers like REST does', async () => {
    const answer = await org.tool('register_for_webinar', {
      webinar_id: linked.webinar,
      user: { email: 'tool@example.com' },
    });
    expect(answer.isError).toBe(false);
    await push();
    expect(await read(answer.body.registration_id)).toMatchObject({ push_state: 'registered' });
    expect(Object.values(pushes()[0]!.body).slice(0, 2)).toEqual(['tool@example.com', 'tool']);
    expect(pushes()).toHaveLength(1);
  });

  test('REG-009 a registration for a webinar that is not linked has no personal link and nobody is told', async () => {
    const { id: other } = await createWebinar(org, { join_url: 'https://example.com/everybody' });
    const { registration_id } = await registerFor(org, other, { email: 'ada@example.com' });
    expect(await read(registration_id)).toMatchObject({
      join_url: null,
      push_state: null,
      push_next_at: null,
    });
    expect((await outbox()).filter(({ payload }) => payload['push_webinar_id'] === other)).toEqual([]);
  });

  test('a repeated registration is not pushed again', async () => {
    const id = await register({ email: 'ada@example.com' });
    await push();
    expect(await register({ email: 'ada@example.com' })).toBe(id);
    expect(await push()).toBeUndefined();
    expect(pushes()).toHaveLength(1);
  });

  test('WFL-010 runs wait two minutes for the link at most, and set out as soon as it is there', async () => {
    await arrangeWorkflow(world(), org, { type: 'webinar_registration', webinar_id: null });
    const before = Date.now();
    const id = await register({ email: 'ada@example.com' });
    const after = Date.now();
    const waits = async () =>
      (
        await world().admin.query<{ due_at: Date; began_at: Date }>(
          `select w.due_at, w.began_at from waits w join workflow_runs r on r.id = w.run_id where r.registration_id = $1`,
          [id],
        )
      ).rows;
    const [wait] = await waits();
    expect(wait!.due_at.getTime()).toBeGreaterThanOrEqual(before + 2 * minute);
    expect(wait!.due_at.getTime()).toBeLessThanOrEqual(after + 2 * minute);
    const at = later(3_000);
    await push(at);
    // Not past: the run began where it stands at the moment it is due.
    expect(await waits()).toEqual([{ due_at: at, began_at: at }]);
    const { rows } = await world().admin.query('select next_at from wait_clocks where id = $1', [
      linked.webinar,
    ]);
    expect(rows).toEqual([{ next_at: at }]);
  });

  test('somebody without an email is refused with the reason, and their runs set out all the same', async () => {
    await arrangeWorkflow(world(), org, { type: 'webinar_registration', webinar_id: null });
    const id = await register({ phone: '+15550001111' });
    await push(later(1_000));
    expect(await read(id)).toMatchObject({
      push_state: 'refused',
      push_next_at: null,
      push_error: 'the person has no email address, and the platform needs one',
    });
    expect(pushes()).toEqual([]);
    const { rows } = await world().admin.query<{ due_at: Date }>(
      'select due_at from waits w join workflow_runs r on r.id = w.run_id where r.registration_id = $1',
      [id],
    );
    expect(rows[0]!.due_at.getTime()).toBeLessThan(Date.now() + 10_000);
  });

  test('the pauses are 20 seconds and a minute', async () => {
    platform.behave = ({ what }) => (what === 'register' ? { status: 500 } : undefined);
    const id = await register({ email: 'ada@example.com' });
    const at = later(0);
    expect((await push(at))!.waitMs).toBe(20_000);
    const second = new Date(at.getTime() + 20_000);
    expect((await push(second))!.waitMs).toBe(60_000);
    expect(await read(id)).toMatchObject({
      push_attempts: '2',
      push_error: expect.stringMatching(/^500 .*Not now[.]$/),
    });
  });

  test('when the platform says too many, everybody waits as long as it says and nothing is counted', async () => {
    let taken = 0;
    platform.behave = ({ what }) =>
      what === 'register' && ++taken > 3 ? { status: 429, headers: { 'retry-after': '45' } } : undefined;
    const ids = [];
    for (let n = 0; n < 20; n++) ids.push(await register({ email: `p${n}@example.com` }));
    const at = later(0);
    expect(await push(at)).toMatchObject({ waitMs: 45_000 });
    expect(pushes().length).toBeLessThan(12);
    const rows = [];
    for (const id of ids) rows.push(await read(id));
    expect(rows.filter(({ push_state }) => push_state === 'registered')).toHaveLength(3);
    for (const row of rows.filter(({ push_state }) => push_state === 'pending'))
      expect(row).toMatchObject({ push_attempts: '0', push_next_at: new Date(at.getTime() + 45_000) });
    platform.behave = () => undefined;
    await push(new Date(at.getTime() + 45_000));
    expect((await Promise.all(ids.map(read))).every(({ push_state }) => push_state === 'registered')).toBe(
      true,
    );
  });

  test('an account that the platform turns away is noted on the connection, and forgotten when it works again', async () => {
    const id = await register({ email: 'ada@example.com' });
    await register({ email: 'bob@example.com' });
    await connect(org, platform, { client_secret: 'not_the_right_one' });
    const at = later(0);
    expect(await push(at)).toMatchObject({ waitMs: 300_000 });
    expect(pushes()).toEqual([]);
    expect(await read(id)).toMatchObject({ push_state: 'pending', push_attempts: '0' });
    const shown = async () =>
      (await org.rest('GET /v1/platform-connections')).body.platform_connections[0] as Record<
        string,
        unknown
      >;
    expect(await shown()).toMatchObject({ trouble: expect.stringMatching(/client_id|token/) });
    await connect(org, platform);
    await push(new Date(at.getTime() + 300_000));
    expect(await read(id)).toMatchObject({ push_state: 'registered' });
    expect(await shown()).toMatchObject({ trouble: null, trouble_at: null });
  });

  test('two who push at once share the work: nobody is pushed twice', async () => {
    const many = isLong ? 60 : 30;
    for (let n = 0; n < many; n++) await register({ email: `p${n}@example.com` });
    await Promise.all([push(), push(), push(), push()]);
    expect(pushes()).toHaveLength(many);
    expect(new Set(pushes().map(({ email }) => email)).size).toBe(many);
    expect((await linkOf(world(), linked.webinar)).push_until).toBeNull();
    expect(platform.most()).toBeLessThanOrEqual(10);
  });

  test('whoever died in the middle is taken over from after two minutes', async () => {
    const id = await register({ email: 'ada@example.com' });
    const at = later(0);
    await world().admin.query(
      'update platform_links set push_until = $2, push_ticket = 7 where webinar_id = $1',
      [linked.webinar, new Date(at.getTime() + 2 * minute)],
    );
    expect(await push(at)).toBeUndefined();
    expect(pushes()).toEqual([]);
    await push(new Date(at.getTime() + 2 * minute + 1));
    expect(await read(id)).toMatchObject({ push_state: 'registered' });
  });

  test('everybody who registered before the link was made is pushed too, and a new event begins anew', async () => {
    const { id: webinar } = await createWebinar(org);
    const { registration_id } = await registerFor(org, webinar, { email: 'early@example.com' });
    const first = await link(org, webinar, linked.connection, platform.newEvent());
    expect(first.registrants).toEqual({ pending: 1, registered: 0, refused: 0 });
    await pushAt(world(), org, platform, webinar);
    const before = await read(registration_id);
    expect(before).toMatchObject({ push_state: 'registered' });
    const second = await link(org, webinar, linked.connection, platform.newEvent());
    expect(second.registrants).toEqual({ pending: 1, registered: 0, refused: 0 });
    await pushAt(world(), org, platform, webinar);
    const after = await read(registration_id);
    expect(after).toMatchObject({ push_state: 'registered' });
    expect(after.external_id).not.toBe(before.external_id);
    // The same once more changes nothing.
    const third = await link(org, webinar, linked.connection, second.event_id);
    expect(third.registrants).toEqual({ pending: 0, registered: 1, refused: 0 });
  });

  test('of many who registered before, some at a time are found, everybody once, and the sweep knows of the rest', async () => {
    const { id: webinar } = await createWebinar(org);
    const early = isLong ? 450 : 230; // they are found two hundred at a time
    await world().admin.query(
      `with made as (
         insert into people (org_id, id, first_name, primary_email, created_at, updated_at)
         select $1, gen_random_uuid(), 'P', 'p' || n || '@example.com', now(), now() from generate_series(1, $3::int) n
         returning id)
       insert into registrations (org_id, id, webinar_id, person_id, registered_at)
       select $1, gen_random_uuid(), $2, id, now() from made`,
      [org.id, webinar, early],
    );
    const { registrants } = await link(org, webinar, linked.connection, platform.newEvent());
    expect(registrants).toEqual({ pending: early, registered: 0, refused: 0 });
    await world().admin.query('delete from outbox');
    await sweep(world().database, later(minute));
    expect((await outbox()).map(({ payload }) => payload['push_webinar_id'])).toContain(webinar);
    const { registration_id } = await registerFor(org, webinar, { email: 'new@example.com' });
    await pushAt(world(), org, platform, webinar);
    expect(await read(registration_id)).toMatchObject({ push_state: 'registered' });
    expect(pushes()).toHaveLength(early + 1);
    expect(new Set(pushes().map(({ email }) => email)).size).toBe(early + 1);
    const { body } = await org.rest(`GET /v1/webinars/${webinar}/platform`);
    expect(body.platform_link.registrants).toEqual({ pending: 0, registered: early + 1, refused: 0 });
    await world().admin.query('delete from outbox');
    await sweep(world().database, later(minute));
    expect((await outbox()).map(({ payload }) => payload['push_webinar_id'])).not.toContain(webinar);
  });

  test('what comes back for an event the webinar is no longer linked to is not written', async () => {
    const id = await register({ email: 'ada@example.com' });
    /** Linked to another event and already waiting for that, before the answer for the first comes. */
    const relink = async (): Promise<void> => {
      await link(org, linked.webinar, linked.connection, platform.newEvent());
      await world().admin.query(
        `update registrations r set push_state = 'pending', push_next_at = now() + interval '1 minute', push_link = l.id
         from platform_links l where r.id = $1 and l.webinar_id = r.webinar_id`,
        [id],
      );
    };
    platform.behave = ({ what, event }) =>
      what === 'register' && event === linked.event ? { after: relink() } : undefined;
    await push();
    expect(await read(id)).toMatchObject({ push_state: 'pending', external_id: null, join_url: null });
    const { event_id } = await linkOf(world(), linked.webinar);
    await push(later(2 * minute));
    const { registrant_id } = platform.registrants(event_id).get('ada@example.com')!;
    expect(await read(id)).toMatchObject({ push_state: 'registered', external_id: registrant_id });
  });

  test('unlinked, canceled or over: nobody is pushed any more', async () => {
    const id = await register({ email: 'ada@example.com' });
    await push(new Date(linked.start.getTime() + 61 * minute));
    expect(await read(id)).toMatchObject({ push_state: 'refused', push_error: 'the webinar is over' });
    const next = await linkedWebinar(org, platform);
    const { registration_id } = await registerFor(org, next.webinar, { email: 'ada@example.com' });
    expect((await org.rest(`DELETE /v1/webinars/${next.webinar}/platform`)).status).toBe(200);
    await pushAt(world(), org, platform, next.webinar);
    expect(await read(registration_id)).toMatchObject({ push_state: null, push_next_at: null });
    const third = await linkedWebinar(org, platform);
    const { registration_id: last } = await registerFor(org, third.webinar, { email: 'ada@example.com' });
    await org.rest(`POST /v1/webinars/${third.webinar}/cancel`, {});
    await pushAt(world(), org, platform, third.webinar);
    expect(await read(last)).toMatchObject({ push_state: 'refused', push_error: 'the webinar was canceled' });
    expect(pushes()).toEqual([]);
  });

  test('the sweep tells of registrants that are due, once for a webinar, and of no others', async () => {
    await push(); // nobody had registered before the link was made
    await register({ email: 'ada@example.com' });
    await register({ email: 'bob@example.com' });
    await world().admin.query('delete from outbox');
    await sweep(world().database, later(-minute));
    expect(await outbox()).toEqual([]);
    await sweep(world().database, later(minute));
    await sweep(world().database, later(minute));
    expect(await outbox()).toEqual([
      { service: 'PlatformPush', payload: { org_id: org.id, push_webinar_id: linked.webinar } },
    ]);
  });

  test('nobody of a suspended organization is pushed, and the sweep does not ask; once it goes on, both', async () => {
    const id = await register({ email: 'ada@example.com' });
    await suspend(world(), org);
    await world().admin.query('delete from outbox');
    await sweep(world().database, later(minute));
    expect(await outbox()).toEqual([]);
    await push();
    expect(pushes()).toEqual([]);
    expect(await read(id)).toMatchObject({ push_state: 'pending', join_url: null });
    await resume(world(), org);
    await sweep(world().database, later(minute));
    expect(await outbox()).toHaveLength(1);
    await push();
    expect(await read(id)).toMatchObject({ push_state: 'registered' });
  });
});
