import { expect, test } from 'vitest';
import { newWebinar, plan, register, readyDraft } from '../../support/broadcast.ts';
import { newSegment } from '../../support/segment.ts';
import { useWorld } from '../../support/world.ts';
import { newConfig, patch, readyInvitation, readyText, setProperty, whileItIs } from './plan-support.ts';

const world = useWorld();

const first = '{{context.root_context.org_user.first_name}}';
const property = (key: string) => `{{context.root_context.org_user.custom_properties.${key}}}`;
const now = '2027-04-01T10:00:00.000Z';

test('PLN-020 PLN-021 values, fallbacks and templates are filled in as the person gets them', async () => {
  const org = await world().newOrg();
  await newConfig(org, 'tier');
  await newConfig(org, 'seats', 'number');
  await newConfig(org, 'city');
  const { id } = await readyDraft(world(), org, {
    subject: 'Tea & <cake> at {5}',
    preview_text: 'Not in the preview',
    html: '<h1>{{var_name}}</h1><p>{{var_tier}}, {{var_seats}}{{var_city}} <a href="{{link_var_site}}">site</a></p>',
    variables: {
      var_name: { variable: first, template: 'Dear {{var}},' },
      var_tier: { variable: property('tier'), fallback: 'no tier', template: 'tier {{var}}' },
      var_seats: { variable: property('seats'), fallback: 'none', template: '{{var}} of {{var}}' },
      var_city: { variable: property('city'), fallback: ' & <nowhere>', template: 'in {{var}}' },
      link_var_site: { variable: property('city'), fallback: 'https://example.com/?a=1&b=2' },
    },
  });
  const person = await org.person({ email: 'ada@example.com', first_name: 'ADA {{var_tier}}' });
  await setProperty(org, person, 'tier', `<b>"gold" & 'old'</b>`);
  await setProperty(org, person, 'seats', 1_250.5);
  expect((await plan(org, id)).preview).toEqual({
    person_id: person,
    subject: 'Tea & <cake> at {5}',
    body:
      '<h1>Dear ADA {{var_tier}},</h1><p>tier &lt;b&gt;&quot;gold&quot; &amp; &#39;old&#39;&lt;/b&gt;, 1250.5 of 1250.5' +
      ' &amp; &lt;nowhere&gt; <a href="https://example.com/?a=1&amp;b=2">site</a></p>',
  });
});

test('PLN-020 PLN-021 a text is rendered plainly, with the personal link of the registrant', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org, { title: 'Beans & more' });
  const { id } = await readyText(world(), org, {
    webinar_id,
    message_body: '{{var_name}}: {{var_title}} at {{var_join}}',
    variables: {
      var_name: { variable: first, fallback: 'You' },
      var_title: { variable: '{{context.root_context.webinar_title}}' },
      var_join: { variable: '{{context.root_context.join_url}}', fallback: 'the usual place' },
    },
  });
  const guest = await org.person({ phone: '+15550100123', first_name: 'dEE' });
  await register(world(), org, webinar_id, guest, { join_url: 'https://example.com/j?a=1&b=<2>' });
  expect((await plan(org, id)).preview).toEqual({
    person_id: guest,
    subject: null,
    body: 'Dee: Beans & more at https://example.com/j?a=1&b=<2>',
  });
});

test('PLN-021 the person previewed is one who would get it, however many would not', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const one = (await plan(org, id)).preview.person_id;
  for (let n = 0; n < 5; n++) {
    const person = await org.person({ email: `out${n}@example.com`, first_name: 'Out' });
    await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
    expect((await plan(org, id)).preview.person_id).toBe(one);
  }
  const outside = await org.person({ email: 'in@example.com', first_name: 'In' });
  const segment_id = await newSegment(org, [{ property: 'first_name', op: 'neq', value: 'In' }]);
  await patch(org, id, { audience: 'segment', segment_id });
  expect((await plan(org, id)).preview.person_id).toBe(one);
  await org.rest(`PATCH /v1/people/${one}/opt-outs`, { email_opt_out: true });
  expect(await plan(org, id)).toMatchObject({ preview: null, audience: { recipients: 6, reachable: 0 } });
  await patch(org, id, { audience: 'everyone' });
  expect((await plan(org, id)).preview.person_id).toBe(outside);
});

test('PLN-021 many people made in one moment are told apart by who would get it', async () => {
  const org = await world().newOrg();
  const { id } = await whileItIs(world(), now, async () => {
    const draft = await readyDraft(world(), org);
    for (let n = 0; n < 6; n++) await org.person({ email: `p${n}@example.com` });
    return draft;
  });
  const { people } = (await org.rest('GET /v1/people')).body;
  expect(new Set(people.map((person: { created_at: string }) => person.created_at)).size).toBe(1);
  let left: string[] = people.map((person: { id: string }) => person.id);
  while (left.length > 0) {
    const { preview, audience } = await plan(org, id);
    expect(left).toContain(preview.person_id);
    expect(audience.reachable).toBe(left.length);
    await org.rest(`PATCH /v1/people/${preview.person_id}/opt-outs`, { email_opt_out: true });
    left = left.filter((person) => person !== preview.person_id);
  }
  expect((await plan(org, id)).preview).toBeNull();
});

test.each([
  ['2027-04-01T12:00:00Z', 'in 4d', 'Monday'],
  ['2027-04-04T10:00:00Z', 'in 1d', 'tomorrow'],
  ['2027-04-05T10:00:00Z', 'today', 'today'],
  ['2027-04-06T10:00:00Z', '1d ago', 'yesterday'],
])(
  'PLN-020 planned for %s, relative dates read %s and %s: as of that time, not of now',
  async (at, short, day) => {
    const org = await world().newOrg();
    await newConfig(org, 'renews');
    const { id } = await readyDraft(world(), org, {
      html: '<p>{{var_short}}|{{var_day}}</p>',
      variables: {
        var_short: { variable: property('renews'), date_format: 'relative-short' },
        var_day: { variable: property('renews'), date_format: 'relative-today' },
      },
    });
    const person = await org.person({ email: 'ada@example.com' });
    await setProperty(org, person, 'renews', '2027-04-05');
    await whileItIs(world(), now, async () => {
      expect((await plan(org, id, at)).preview.body).toBe(`<p>${short}|${day}</p>`);
    });
  },
);

test('PLN-020 a webinar broadcast reads its times as of the time reckoned from the webinar, in its zone', async () => {
  const org = await world().newOrg();
  const start_time = '2027-04-10T22:30:00.000Z';
  const webinar = await newWebinar(world(), org, { start_time, timezone: 'Europe/Berlin' });
  const when = '{{context.root_context.webinar_start_time}}';
  const { id } = await readyInvitation(world(), org, webinar, {
    webinar_offset_minutes: 90,
    html: '<p>{{var_short}}|{{var_day}}|{{var_date}}</p>',
    variables: {
      var_short: { variable: when, date_format: 'relative-short' },
      var_day: { variable: when, date_format: 'relative-today' },
      var_date: { variable: when, date_format: 'd MMM HH:mm' },
    },
  });
  await whileItIs(world(), now, async () => {
    expect((await plan(org, id, null)).preview.body).toBe('<p>in 1h|tomorrow at 00:30 CEST|11 Apr 00:30</p>');
    await patch(org, id, { webinar_offset_minutes: -24 * 60 });
    expect((await plan(org, id, null)).preview.body).toBe(
      '<p>1d ago|yesterday at 00:30 CEST|11 Apr 00:30</p>',
    );
    await patch(org, id, { webinar_offset_minutes: null });
    const unplanned = (await plan(org, id, null)).preview.body;
    expect(unplanned).toBe('<p>in 1w|Apr 11|11 Apr 00:30</p>');
  });
});

test('PLN-020 other dates are written in the zone of the organization', async () => {
  const org = await world().newOrg();
  await newConfig(org, 'renews');
  const renews = { variable: property('renews'), date_format: 'yyyy-MM-dd HH:mm' };
  const html = '<p>{{var_renews}}</p>';
  const { id } = await readyDraft(world(), org, { html, variables: { var_renews: renews } });
  const person = await org.person({ email: 'ada@example.com' });
  await setProperty(org, person, 'renews', '2027-04-05T23:30:00Z');
  for (const [timezone, written] of [
    ['UTC', '2027-04-05 23:30'],
    ['Asia/Tokyo', '2027-04-06 08:30'],
    ['America/New_York', '2027-04-05 19:30'],
  ] as const) {
    expect((await org.rest('PATCH /v1/settings', { timezone })).status).toBe(200);
    expect((await plan(org, id)).preview.body).toBe(`<p>${written}</p>`);
  }
});
