import { beforeAll, expect, test } from 'vitest';
import { newDraft, newWebinar, plan, register, setWebinar } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { path } from './body-setting.ts';
import {
  previewFor,
  refusedBoth,
  refusedChange,
  update,
  type Fields,
} from '../broadcasts/draft/draft-ways.ts';
import { everyKind, readsWebinar, rendered, withVariable } from './variable-setting.ts';

const world = useWorld();

const start_time = '2027-06-01T16:00:00.000Z';
const webinarSources = [
  'webinar_title',
  'webinar_start_time',
  'join_url',
  'registration_join_url',
  'google_calendar_url',
  'outlook_calendar_url',
  'calendar_file_url',
];

let org: TestOrg;
let webinar_id: string;
/** Registered with a link of her own; registered without; not registered. */
let ada: string;
let bob: string;
let eve: string;
let tied: Fields[];

beforeAll(async () => {
  org = await world().newOrg();
  ada = await org.person({ email: 'ada@example.com', phone: '+15550000001' });
  bob = await org.person({ email: 'bob@example.com', phone: '+15550000002' });
  eve = await org.person({ email: 'eve@example.com' });
  webinar_id = await newWebinar(world(), org, {
    title: 'Fish & chips <live>',
    start_time,
    duration_minutes: 90,
    join_url: 'https://example.com/join',
    timezone: 'America/New_York',
  });
  await register(world(), org, webinar_id, ada, { join_url: 'https://example.com/join/ada?k=1&l=2' });
  await register(world(), org, webinar_id, bob);
  const toWebinar = { audience: 'webinar', webinar_id };
  tied = [toWebinar, { ...toWebinar, webinar_audience: 'no_show' }, { channel: 'sms', ...toWebinar }];
});

test('VAR-017 a broadcast tied to a webinar reads its title, by email and by text', async () => {
  for (const kind of tied) {
    expect(await rendered(org, ada, readsWebinar('webinar_title'), kind)).toBe('Fish & chips <live>');
  }
  const { id } = await newDraft(org, withVariable(tied[0]!, readsWebinar('webinar_title')));
  expect((await previewFor(org, id, ada)).message).toContain('[Fish &amp; chips &lt;live&gt;]');
});

test('VAR-018 it reads when the webinar starts, in the webinar’s zone or else the organization’s', async () => {
  for (const kind of tied) {
    expect(await rendered(org, ada, readsWebinar('webinar_start_time'), kind)).toBe(start_time);
    const formatted = readsWebinar('webinar_start_time', { date_format: 'yyyy-MM-dd HH:mm' });
    expect(await rendered(org, ada, formatted, kind)).toBe('2027-06-01 12:00');
  }
  const elsewhere = await newWebinar(world(), org, { start_time });
  await org.rest('PATCH /v1/settings', { timezone: 'Asia/Tokyo' });
  const inTokyo = readsWebinar('webinar_start_time', { date_format: 'MMM d, HH:mm' });
  expect(await rendered(org, ada, inTokyo, { audience: 'webinar', webinar_id: elsewhere })).toBe(
    'Jun 2, 01:00',
  );
  await org.rest('PATCH /v1/settings', { timezone: 'UTC' });
});

test('VAR-019 join_url is each recipient’s personal link, or else the webinar’s', async () => {
  for (const kind of tied) {
    const link = readsWebinar('join_url', { fallback: 'soon' });
    expect(await rendered(org, ada, link, kind)).toBe('https://example.com/join/ada?k=1&l=2');
    expect(await rendered(org, bob, link, kind)).toBe('https://example.com/join');
    expect(await rendered(org, eve, link, kind)).toBe('https://example.com/join');
  }
  const html = '<p><a href="{{link_var_join}}">Join</a></p>';
  const sent = {
    audience: 'webinar',
    webinar_id,
    html,
    variables: { link_var_join: readsWebinar('join_url') },
  };
  const { id } = await newDraft(org, sent);
  expect((await previewFor(org, id, ada)).message).toContain(
    '<a href="https://example.com/join/ada?k=1&amp;l=2" style=',
  );
  expect((await previewFor(org, id, bob)).message).toContain('<a href="https://example.com/join" style=');
});

test('VAR-019 without any link the fallback stands, and a link of another webinar is never used', async () => {
  const other = await newWebinar(world(), org);
  await register(world(), org, other, bob);
  const link = readsWebinar('join_url', { fallback: 'soon' });
  for (const person of [ada, bob]) {
    expect(await rendered(org, person, link, { audience: 'webinar', webinar_id: other })).toBe('soon');
  }
});

test('VAR-020 add-to-calendar links hold title, times and the recipient’s own link', async () => {
  for (const kind of tied) {
    const google = new URL(await rendered(org, ada, readsWebinar('google_calendar_url'), kind));
    expect(google.origin).toBe('https://calendar.google.com');
    expect(Object.fromEntries(google.searchParams)).toEqual({
      action: 'TEMPLATE',
      text: 'Fish & chips <live>',
      dates: '20270601T160000Z/20270601T173000Z',
      details: 'Join: https://example.com/join/ada?k=1&l=2',
    });
    const outlook = new URL(await rendered(org, bob, readsWebinar('outlook_calendar_url'), kind));
    expect(outlook.origin).toBe('https://outlook.live.com');
    expect(Object.fromEntries(outlook.searchParams)).toMatchObject({
      rru: 'addevent',
      subject: 'Fish & chips <live>',
      body: 'Join: https://example.com/join',
      startdt: '2027-06-01T16:00:00Z',
      enddt: '2027-06-01T17:30:00Z',
    });
  }
});

test('VAR-020 as a link they keep every part', async () => {
  const variables = {
    link_var_g: readsWebinar('google_calendar_url'),
    link_var_o: readsWebinar('outlook_calendar_url'),
  };
  const html = '<p><a href="{{link_var_g}}">Google</a> <a href="{{link_var_o}}">Outlook</a></p>';
  const { id } = await newDraft(org, { audience: 'webinar', webinar_id, html, variables });
  const { message } = await previewFor(org, id, ada);
  const [google, outlook] = [...message.matchAll(/<a href="([^"]+)"[^>]*>(?:Google|Outlook)/g)].map(
    ([, href]) => href!.replaceAll('&amp;', '&'),
  );
  expect(google).toBe(await rendered(org, ada, readsWebinar('google_calendar_url'), tied[0]));
  expect(outlook).toBe(await rendered(org, ada, readsWebinar('outlook_calendar_url'), tied[0]));
});

test('VAR-017 VAR-018 what they read is the webinar as it is by then', async () => {
  const moving = await newWebinar(world(), org, { title: 'Before', start_time });
  const sent = withVariable({ audience: 'webinar', webinar_id: moving }, readsWebinar('webinar_title'));
  await register(world(), org, moving, ada);
  const { id } = await newDraft(org, sent);
  expect((await plan(org, id)).preview.body).toBe('[Before]');
  await setWebinar(world(), moving, { title: 'After' });
  expect((await plan(org, id)).preview.body).toBe('[After]');
});

test.each(webinarSources)(
  'VAR-021 %s is refused in a broadcast that is not tied to a webinar',
  async (name) => {
    const { everyone, segment } = await everyKind(world(), org);
    const { variable } = readsWebinar(name) as { variable: string };
    const required = { pointer: '/variables/var_x/variable', code: 'webinar_required' };
    for (const kind of [everyone!, segment!]) {
      const { id } = await newDraft(org, kind);
      const sent = withVariable(kind, { variable });
      const errors = await refusedBoth(world(), org, sent, id, sent);
      expect(errors).toMatchObject([required]);
      expect(errors[0]!.allowed).toContain(path('first_name'));
      expect(errors[0]!.allowed).not.toContain(variable);
    }
    const { id } = await newDraft(org, withVariable(tied[0]!, { variable }));
    expect(await refusedChange(world(), org, id, everyone!)).toMatchObject([required]);
    expect(await refusedChange(world(), org, id, segment!)).toMatchObject([required]);
    const left = await update.tool(org, id, { ...everyone, html: '<p>Without it</p>' });
    expect(left.body.broadcast).toMatchObject({ audience: { kind: 'everyone' }, variables: {} });
  },
);
