import { expect, test } from 'vitest';
import { mapped } from '../support/import.ts';
import { createWebinar } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const bad = [
  '<a@example.com>',
  'a,b@example.com',
  'a@b..example',
  'nope',
  'a@',
  '@example.com',
  'a b@example.com',
  'a@.example',
  'a@example.',
  '"a"@example.com',
  'a@b@example.com',
];

test.each(bad)('REG-016 %j is no address, whichever way it comes', async (email) => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ada@example.com' });
  const { body } = await org.rest(`GET /v1/people/${person}/identifiers`);
  const { id: webinar_id } = await createWebinar(org);
  const answers = [
    await org.rest('POST /v1/people/identify', { email }),
    await org.rest('POST /v1/webinars/register', { webinar_id, user: { email } }),
    await org.rest(`POST /v1/people/${person}/identifiers`, {
      identifier_type: 'email',
      identifier_value: email,
    }),
    await org.rest(`PATCH /v1/people/${person}/identifiers/${body.identifiers[0].id}`, {
      identifier_value: email,
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  for (const { body: refusal } of answers)
    expect(refusal.errors[0].detail).toBe('Must be one email address, such as ada@example.com.');
  const list = await mapped(org, { Mail: 'email', Name: 'first_name' });
  const appended = await org.rest(`POST /v1/imports/${list}/rows`, { rows: [{ Mail: email, Name: 'x' }] });
  expect(appended.body).toMatchObject({ accepted: 0, rejected: 1 });
  expect((await org.rest('GET /v1/people')).body.total).toBe(1);
});

test.each([
  'a@example.com',
  "o'neil+news@sub.example.co.uk",
  'müller@bücher.example',
  'a@b',
  ' A@Example.COM ',
])('%j is one, identified or registered', async (email) => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  expect((await org.rest('POST /v1/people/identify', { email })).status).toBe(200);
  expect((await org.rest('POST /v1/webinars/register', { webinar_id, user: { email } })).status).toBe(200);
  expect((await org.rest('GET /v1/people')).body.total).toBe(1);
});

test.each([
  'example.com',
  'javascript:alert(1)',
  'www.example.com/page',
  'mailto:a@example.com',
  'https://',
  'http://user:pass@example.com/',
])('%j is no link to join by', async (join_url) => {
  const org = await world().newOrg();
  const fields = {
    title: 'Hello',
    start_time: '2031-01-01T10:00:00Z',
    timezone: 'Europe/Paris',
    duration_minutes: 60,
  };
  expect(await org.rest('POST /v1/webinars', { webinar: { ...fields, join_url } })).toMatchObject({
    status: 400,
    body: {
      errors: [{ pointer: '/webinar/join_url', detail: expect.stringContaining('https://example.com/join') }],
    },
  });
  const { id } = await createWebinar(org);
  expect((await org.rest(`PATCH /v1/webinars/${id}`, { join_url })).status).toBe(400);
  expect(
    (await org.rest(`PATCH /v1/webinars/${id}`, { join_url: 'https://example.com/join?x=1' })).status,
  ).toBe(200);
});
