import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '../../src/durable/sweep.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor, timelineOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import {
  attendees,
  hour,
  link,
  linkedWebinar,
  linkOf,
  minute,
  pushAt,
  registrationOf,
  syncAt,
  syncOn,
  type Linked,
  startPlatforms,
} from './setting.ts';

const platforms = await startPlatforms();
afterAll(() => Promise.all(platforms.map((platform) => platform.stop())));
const world = useWorld();

describe.each(platforms)('$platform', (platform) => {
  let org: TestOrg;
  let linked: Linked;
  let end: Date;
  beforeEach(async () => {
    platform.behave = () => undefined;
    platform.calls.length = 0;
    org = await world().newOrg();
    linked = await linkedWebinar(org, platform);
    end = new Date(linked.start.getTime() + hour);
  });

  const register = async (email: string, webinar = linked.webinar): Promise<string> =>
    (await registerFor(org, webinar, { email })).registration_id;
  /** After its end, in milliseconds. */
  const sync = (after: number) =>
    syncAt(world(), org, platform, linked.webinar, new Date(end.getTime() + after));
  const push = () => pushAt(world(), org, platform, linked.webinar);
  const idOf = (email: string): string => platform.registrants(linked.event).get(email)!.registrant_id;
  const attended = () => attendees(world(), linked.webinar);
  const reports = () => platform.calls.filter(({ what }) => what === 'report');
  /** When it is read next, after its end. */
  const next = async (): Promise<number | null> => {
    const { sync_at } = await linkOf(world(), linked.webinar);
    return sync_at === null ? null : sync_at.getTime() - end.getTime();
  };
  const move = async (start: Date): Promise<void> => {
    const { status, body } = await org.rest('POST /v1/webinars/reschedule', {
      webinar_id: linked.webinar,
      start_time: start.toISOString(),
    });
    if (status !== 200) throw new Error(`reschedule answered ${status}: ${JSON.stringify(body)}`);
  };

  test('ATT-001 the report is read 30 minutes after the scheduled end, after 2 hours and after 24, and not before', async () => {
    await register('ada@example.com');
    await push();
    platform.report(linked.event, [{ registrant_id: idOf('ada@example.com') }]);
    expect(await next()).toBe(30 * minute);
    expect(await sync(29 * minute)).toEqual({ outcome: 'not_due' });
    expect(reports()).toEqual([]);
    expect(await sync(30 * minute)).toEqual({ outcome: 'read', strangers: 0 });
    expect(await attended()).toEqual(['ada@example.com']);
    expect(await next()).toBe(2 * hour);
    expect(await sync(2 * hour)).toMatchObject({ outcome: 'read' });
    expect(await next()).toBe(24 * hour);
    expect(await sync(24 * hour)).toMatchObject({ outcome: 'read' });
    expect(await next()).toBeNull();
    expect(reports()).toHaveLength(3);
  });

  test('ATT-001 a webinar of unknown length is taken to last an hour', async () => {
    const { id } = await createWebinar(org, { start_time: linked.start.toISOString() });
    await link(org, id, linked.connection, platform.newEvent());
    const { sync_at } = await linkOf(world(), id);
    expect(sync_at).toEqual(new Date(end.getTime() + 30 * minute));
  });

  test('ATT-001 the reading follows the webinar however often it is moved, lengthened or canceled', async () => {
    for (const days of [3, -1, 10]) {
      const start = new Date(linked.start.getTime() + days * 24 * hour);
      await move(start);
      expect((await linkOf(world(), linked.webinar)).sync_at).toEqual(
        new Date(start.getTime() + 90 * minute),
      );
    }
    await move(linked.start);
    await org.rest(`PATCH /v1/webinars/${linked.webinar}`, { duration_minutes: 120 });
    expect(await next()).toBe(hour + 30 * minute);
    await org.rest(`POST /v1/webinars/${linked.webinar}/cancel`, {});
    expect(await next()).toBeNull();
    expect(await sync(100 * hour)).toEqual({ outcome: 'not_due' });
  });

  test('a webinar that is moved while its report is read is not written to any more', async () => {
    await register('ada@example.com');
    platform.report(linked.event, [{ user_email: 'ada@example.com' }]);
    const start = new Date(linked.start.getTime() + 48 * hour);
    let moved: Promise<void> | undefined;
    platform.behave = ({ what }) => {
      if (what !== 'report') return undefined;
      moved ??= move(start);
      return { after: moved };
    };
    const at = new Date(end.getTime() + 30 * minute);
    expect(await syncAt(world(), org, platform, linked.webinar, at)).toEqual({ outcome: 'not_due' });
    expect(reports()).toHaveLength(1);
    expect(await attended()).toEqual([]);
    expect((await linkOf(world(), linked.webinar)).sync_at).toEqual(new Date(start.getTime() + 90 * minute));
  });

  test('the report of an earlier session under the same id says nothing about this one', async () => {
    await register('ada@example.com');
    await register('bob@example.com');
    const before = { leave_time: new Date(linked.start.getTime() - 48 * hour).toISOString() };
    platform.report(linked.event, [{ user_email: 'ada@example.com', ...before }]);
    expect(await sync(30 * minute)).toMatchObject({ outcome: 'later' });
    expect(await attended()).toEqual([]);
    const within = { leave_time: new Date(linked.start.getTime() + 30 * minute).toISOString() };
    platform.report(linked.event, [{ user_email: 'bob@example.com', ...within }]);
    expect(await sync(40 * minute)).toMatchObject({ outcome: 'read' });
    expect(await attended()).toEqual(['bob@example.com']);
  });

  test('rows without an address are matched by id, those without an id by any address of a registrant', async () => {
    await register('by-id@example.com');
    const other = await org.person({ email: 'main@example.com' });
    await org.rest(`POST /v1/people/${other}/identifiers`, {
      identifier_type: 'email',
      identifier_value: 'second@example.com',
    });
    await registerFor(org, linked.webinar, { email: 'main@example.com' });
    await register('absent@example.com');
    await push();
    platform.report(linked.event, [
      { registrant_id: idOf('by-id@example.com') },
      { user_email: 'Second@Example.com' },
      { registrant_id: 'nobody-has-it', user_email: 'stranger@example.com' },
      { name: 'A phone' },
    ]);
    expect(await sync(30 * minute)).toEqual({ outcome: 'read', strangers: 2 });
    expect(await attended()).toEqual(['by-id@example.com', 'main@example.com']);
    const { body } = await org.rest(`GET /v1/webinars/${linked.webinar}/platform`);
    expect(body.platform_link.attendance).toMatchObject({ strangers: 2, trouble: null });
    const people = await org.rest('GET /v1/people');
    expect(people.body.people).toHaveLength(3);
  });

  test('the id decides before the address: whoever joined by a link of somebody else counts as that one', async () => {
    await register('invited@example.com');
    await register('other@example.com');
    await push();
    platform.report(linked.event, [
      { registrant_id: idOf('invited@example.com'), user_email: 'other@example.com' },
    ]);
    await sync(30 * minute);
    expect(await attended()).toEqual(['invited@example.com']);
  });

  test('somebody who came back several times attended once, with one event on the timeline', async () => {
    const { registration_id, org_user_id } = await registerFor(org, linked.webinar, {
      email: 'ada@example.com',
    });
    await push();
    const row = { registrant_id: idOf('ada@example.com'), user_email: 'ada@example.com' };
    platform.report(linked.event, [row, row, { user_email: 'ada@example.com' }, row, row], 2);
    await sync(30 * minute);
    await sync(2 * hour);
    const events = await timelineOf(org, org_user_id, '$svc_webinar_attendance');
    expect(events.map(({ custom_properties }) => custom_properties)).toEqual([
      { webinar_id: linked.webinar, webinar_title: 'Getting started', registration_id, attended: true },
    ]);
    expect(await registrationOf(world(), registration_id)).toMatchObject({
      attended: true,
      attendance_source: 'platform',
    });
  });

  test('ATT-013 a report through the API corrects what the platform said, before it and after it', async () => {
    await register('ada@example.com');
    await register('bob@example.com');
    await register('eve@example.com');
    const say = async (email: string, attended: boolean) => {
      const { status, body } = await org.rest('POST /v1/webinars/attendance', {
        webinar_id: linked.webinar,
        email,
        attended,
      });
      expect(status).toBe(200);
      return body;
    };
    await say('bob@example.com', false);
    platform.report(linked.event, [{ user_email: 'ada@example.com' }, { user_email: 'bob@example.com' }]);
    await sync(30 * minute);
    expect(await attended()).toEqual(['ada@example.com']);
    const corrected = await say('ada@example.com', false);
    expect(corrected).toMatchObject({ attended: false, previous_attended: true, source: 'api' });
    const tool = await org.tool('report_attendance', {
      webinar_id: linked.webinar,
      email: 'eve@example.com',
      attended: true,
    });
    expect(tool.isError).toBe(false);
    await sync(2 * hour);
    expect(await attended()).toEqual(['eve@example.com']);
  });

  test('a report that is not there yet is asked for again, ever more seldom, until the next time, and not for ever', async () => {
    await register('ada@example.com');
    const asked: number[] = [];
    let at = 30 * minute;
    for (let n = 0; n < 60; n++) {
      asked.push(at / minute);
      expect(await sync(at)).toEqual({ outcome: 'later', strangers: 0 });
      const then = await next();
      if (then === null) break;
      at = then;
    }
    // 30, 35, 45, 65, 105, then at two hours, every hour from there.
    expect(asked.slice(0, 8)).toEqual([30, 35, 45, 65, 105, 120, 180, 240]);
    expect(asked.at(-1)! / 60).toBeGreaterThan(46);
    expect(asked.at(-1)! / 60).toBeLessThanOrEqual(48);
    expect((await linkOf(world(), linked.webinar)).sync_trouble).toMatch(/^404 .*does not exist/);
  });

  test('an empty report is one that is not made yet', async () => {
    await register('ada@example.com');
    platform.report(linked.event, []);
    expect(await sync(30 * minute)).toMatchObject({ outcome: 'later' });
    platform.report(linked.event, [{ user_email: 'ada@example.com' }]);
    expect(await sync(35 * minute)).toMatchObject({ outcome: 'read' });
    expect(await attended()).toEqual(['ada@example.com']);
  });

  test('a page in the middle that cannot be had is asked for again by its cursor', async () => {
    const emails = Array.from({ length: 9 }, (_, n) => `p${n}@example.com`);
    for (const email of emails) await register(email);
    platform.report(
      linked.event,
      emails.map((user_email) => ({ user_email })),
      3,
    );
    let fails = 2;
    platform.behave = ({ what }) =>
      what === 'report' && reports().length > 1 && fails-- > 0
        ? { status: 429, headers: { 'retry-after': '20' } }
        : undefined;
    const at = new Date(end.getTime() + 30 * minute);
    let going = await syncAt(world(), org, platform, linked.webinar, at);
    expect(going).toMatchObject({ outcome: 'on', waitMs: 20_000 });
    expect(await attended()).toHaveLength(3);
    going = await syncOn(world(), platform, going, at);
    expect(going).toMatchObject({ outcome: 'on', waitMs: 20_000 });
    expect(await syncOn(world(), platform, going, at)).toMatchObject({ outcome: 'read' });
    expect(await attended()).toEqual(emails);
    const [first, second, third] = new Set(reports().map(({ page }) => page));
    expect(third).toBeDefined();
    expect(reports().map(({ page }) => page)).toEqual([first, second, second, second, third]);
  });

  test('a daily limit, silence and an account turned away only put it off', async () => {
    await register('ada@example.com');
    platform.report(linked.event, [{ user_email: 'ada@example.com' }]);
    platform.behave = ({ what }) => (what === 'report' ? 'silent' : undefined);
    const first = new Date(end.getTime() + 30 * minute);
    expect(await syncAt(world(), org, platform, linked.webinar, first, 1_500)).toMatchObject({
      outcome: 'later',
    });
    expect(await next()).toBe(35 * minute);
    platform.behave = ({ what }) =>
      what === 'report' ? { status: 429, headers: { 'retry-after': String(10 * 3_600) } } : undefined;
    expect(await sync(35 * minute)).toMatchObject({ outcome: 'later' });
    expect(await next()).toBe(10 * hour + 35 * minute);
    platform.behave = ({ what }) => (what === 'token' ? { status: 400, message: 'No such app.' } : undefined);
    expect(await sync(11 * hour)).toMatchObject({ outcome: 'later' });
    const { body } = await org.rest('GET /v1/platform-connections');
    expect(body.platform_connections[0].trouble).toContain('No such app');
    platform.behave = () => undefined;
    expect(await sync((await next())!)).toMatchObject({ outcome: 'read' });
    expect(await attended()).toEqual(['ada@example.com']);
    const after = await org.rest('GET /v1/platform-connections');
    expect(after.body.platform_connections[0].trouble).toBeNull();
  });

  test('two who are told at once read it once, and whoever died is taken over from', async () => {
    await register('ada@example.com');
    platform.report(linked.event, [{ user_email: 'ada@example.com' }]);
    const at = new Date(end.getTime() + 30 * minute);
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => syncAt(world(), org, platform, linked.webinar, at)),
    );
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['not_due', 'not_due', 'read']);
    expect(reports()).toHaveLength(1);
    await world().admin.query(
      'update platform_links set sync_at = $2, sync_ticket = 9 where webinar_id = $1',
      [linked.webinar, new Date(end.getTime() + 45 * minute)],
    );
    expect(await sync(44 * minute)).toEqual({ outcome: 'not_due' });
    expect(await sync(45 * minute)).toMatchObject({ outcome: 'read' });
  });

  test('the sweep tells of reports that are due, by the clock of a test organization too', async () => {
    const told = async () =>
      (
        await world().admin.query(
          "select payload from outbox where service = 'AttendanceSync' and org_id = $1",
          [org.id],
        )
      ).rows;
    await sweep(world().database, new Date(end.getTime() + 29 * minute));
    expect(await told()).toEqual([]);
    await sweep(world().database, new Date(end.getTime() + 31 * minute));
    const message = { payload: { org_id: org.id, sync_webinar_id: linked.webinar } };
    expect(await told()).toEqual([message]);
    await world().admin.query('delete from outbox');
    await org.rest('POST /v1/test-clock', { now: new Date(end.getTime() + 31 * minute).toISOString() });
    expect(await told()).toEqual([message]);
    await world().admin.query('delete from outbox');
    await sweep(world().database, new Date(Date.now() + minute));
    expect(await told()).toEqual([message]);
  });
});
