import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inHours } from '../support/broadcast.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('a webinar reads back as it was created', async () => {
  const org = await world().newOrg();
  const webinar = await createWebinar(org, {
    timezone: 'Europe/Paris',
    duration_minutes: 30,
    provider: 'Ours',
  });
  const rest = await org.rest(`GET /v1/webinars/${webinar.id}`);
  expect(rest).toMatchObject({ status: 200, body: { webinar } });
  expect(rest.body.webinar).toEqual(webinar);
  const tool = await org.tool('list_webinars');
  expect(tool.body.webinars).toEqual([webinar]);
  expect((await org.rest(`GET /v1/webinars/${randomUUID()}`)).body).toMatchObject({ code: 'not_found' });
  expect((await org.rest('GET /v1/webinars/not-an-id')).status).toBe(400);
});

test('the phase follows the clock, and one of unknown length is taken to last an hour', async () => {
  const org = await world().newOrg();
  const start = inHours(2);
  const hour = await createWebinar(org, { start_time: start });
  const short = await createWebinar(org, { start_time: start, duration_minutes: 30 });
  const phases = async () =>
    Promise.all(
      [hour, short].map(async ({ id }) => (await org.rest(`GET /v1/webinars/${id}`)).body.webinar.phase),
    );
  const advance = async (now: string) => {
    const { status } = await org.rest('POST /v1/test-clock', { now });
    expect(status).toBe(200);
  };
  expect(await phases()).toEqual(['upcoming', 'upcoming']);
  await advance(start);
  expect(await phases()).toEqual(['live', 'live']);
  await advance(inHours(0.5, new Date(start)));
  expect(await phases()).toEqual(['live', 'ended']);
  await advance(inHours(1, new Date(start)));
  expect(await phases()).toEqual(['ended', 'ended']);
});

test('webinars are listed latest start first, in pages that neither skip nor repeat', async () => {
  const org = await world().newOrg();
  const made: string[] = [];
  for (const day of [3, 1, 2, 2, 5])
    made.push((await createWebinar(org, { start_time: inHours(24 * day) })).id);
  const { body: all } = await org.rest('GET /v1/webinars');
  expect(Object.keys(all)).toEqual(['webinars', 'total', 'limit', 'offset', 'now']);
  expect(all).toMatchObject({ total: 5, limit: 50, offset: 0 });
  const starts = all.webinars.map(({ start_time }: { start_time: string }) => start_time);
  expect(starts).toEqual(starts.toSorted().toReversed());
  const { body: ascending } = await org.rest('GET /v1/webinars?order=asc');
  expect(ascending.webinars).toEqual(all.webinars.toReversed());
  const seen: string[] = [];
  for (let offset = 0; offset < 6; offset += 2) {
    const { body } = await org.tool('list_webinars', { limit: 2, offset });
    expect(body).toMatchObject({ total: 5, limit: 2, offset });
    seen.push(...body.webinars.map(({ id }: { id: string }) => id));
  }
  expect(seen).toEqual(all.webinars.map(({ id }: { id: string }) => id));
  expect(new Set(seen)).toEqual(new Set(made));
  for (const query of [
    'limit=0',
    'limit=201',
    'offset=-1',
    'status=gone',
    'phase=soon',
    'order=up',
    'sort=title',
  ]) {
    expect({ query, status: (await org.rest(`GET /v1/webinars?${query}`)).status }).toEqual({
      query,
      status: 400,
    });
  }
});

test('webinars are filtered by status and by phase, as their records say', async () => {
  const org = await world().newOrg();
  for (const fields of [
    { start_time: inHours(-3) },
    { start_time: inHours(-0.5) },
    { start_time: inHours(-0.5), duration_minutes: 15 },
    { start_time: inHours(-0.5), duration_minutes: 45, status: 'draft' },
    { start_time: inHours(3) },
    { start_time: inHours(3), status: 'draft' },
  ]) {
    await createWebinar(org, fields);
  }
  const { body: all } = await org.rest('GET /v1/webinars');
  for (const [query, matches] of [
    ['status=draft', 2],
    ['status=scheduled', 4],
    ['status=canceled', 0],
    ['phase=upcoming', 2],
    ['phase=live', 2],
    ['phase=ended', 2],
    ['phase=live&status=draft', 1],
  ] as const) {
    const { body } = await org.rest(`GET /v1/webinars?${query}`);
    expect({ query, total: body.total }).toEqual({ query, total: matches });
    const wanted = Object.fromEntries(new URLSearchParams(query));
    expect(body.webinars).toEqual(
      all.webinars.filter((one: Record<string, unknown>) =>
        Object.entries(wanted).every(([field, value]) => one[field] === value),
      ),
    );
  }
});

test('registrations are listed newest first, with who attended', async () => {
  const org = await world().newOrg();
  const webinar = await createWebinar(org);
  const other = await createWebinar(org);
  const registered = [];
  for (const name of ['ann', 'ben', 'cem']) {
    registered.push(await registerFor(org, webinar.id, { email: `${name}@example.com` }));
  }
  await registerFor(org, other.id, { email: 'ann@example.com' });
  await org.rest('POST /v1/webinars/attendance', { webinar_id: webinar.id, email: 'ben@example.com' });
  const { body } = await org.rest(`GET /v1/webinars/${webinar.id}/registrations`);
  expect(Object.keys(body)).toEqual(['registrations', 'total', 'limit', 'offset']);
  expect(body.total).toBe(3);
  const moment = expect.stringMatching(/Z$/) as string;
  const unsaid = { attended: false, attendance_source: null, attendance_at: null };
  const said = { attended: true, attendance_source: 'api', attendance_at: moment };
  expect(body.registrations).toEqual(
    registered.toReversed().map(({ registration_id, org_user_id }, index) => ({
      registration_id,
      person_id: org_user_id,
      registered_at: moment,
      ...(index === 1 ? said : unsaid),
      join_url: null,
      person: {
        first_name: null,
        last_name: null,
        primary_email: `${['cem', 'ben', 'ann'][index]}@example.com`,
        primary_phone: null,
      },
    })),
  );
  const only = await org.rest(`GET /v1/webinars/${webinar.id}/registrations?attended=true&limit=1`);
  expect(only.body).toMatchObject({ total: 1, limit: 1, registrations: [body.registrations[1]] });
  const second = await org.rest(`GET /v1/webinars/${webinar.id}/registrations?limit=1&offset=2`);
  expect(second.body.registrations).toEqual([body.registrations[2]]);
  expect((await org.rest(`GET /v1/webinars/${randomUUID()}/registrations`)).status).toBe(404);
});
