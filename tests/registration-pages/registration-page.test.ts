import { expect, test } from 'vitest';
import { peopleOf } from './people-of.ts';
import { createWebinar, timelineOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { changePage, newAddress, openForm, openPage, passSeconds, post } from './visitor.ts';

const world = useWorld({ env: { TRUST_PROXY: 'true' } });
const ann = { full_name: 'Ann Lee', email: 'ann@example.com' };

test('a visitor registers by the page, and the audit log says that the page did it', async () => {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
  const page = await openPage(org, {
    description: 'First.\n\nSecond <b>bold</b>.',
    fields: [
      { field: 'full_name', required: true },
      { field: 'email', required: true },
      { property: 'seats', label: 'How many are you?' },
    ],
    consent_text: 'I agree to be written to.',
  });
  expect(page).toMatchObject({ slug: 'getting-started', url: `${world().url}/w/getting-started` });
  const shown = await fetch(page.url);
  const text = await shown.text();
  expect(shown.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(text).toContain('Second &lt;b&gt;bold&lt;/b&gt;.');
  expect(text).not.toContain('<script');
  const token = await openForm(world(), page.url);
  const from = newAddress();
  const sent = { ...ann, 'property.seats': '3', consent: 'yes', token };
  const answer = await post(page.url, sent, { from });
  expect([answer.status, answer.location]).toEqual([303, '/w/getting-started/registered']);
  expect(await (await fetch(world().url + answer.location!)).text()).toContain(
    'your registration has arrived',
  );
  const [person] = await peopleOf(org);
  expect(person).toMatchObject({ primary_email: ann.email, first_name: 'Ann', last_name: 'Lee' });
  const { body } = await org.rest(`GET /v1/people/${person.id}`);
  expect(body.person.custom_properties).toMatchObject({ seats: { value: 3 } });
  expect(await timelineOf(org, person.id, '$svc_consent_given')).toMatchObject([
    { custom_properties: { webinar_id: page.webinar_id, text: 'I agree to be written to.' } },
  ]);
  const { body: log } = await org.rest('GET /v1/audit-log?operation=register_for_webinar');
  expect(log.entries).toMatchObject([
    { actor: { kind: 'service', id: 'registration_page' }, face: 'public', address: from },
  ]);
});

test('an address is one page of the whole installation, and a title makes one', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const first = await openPage(org, {}, { title: 'Ça va? Über “Pläne” & mehr' });
  expect(first.slug).toBe('ca-va-uber-plane-mehr');
  const second = await openPage(other, {}, { title: 'Ça va? Über “Pläne” & mehr' });
  expect(second.slug).toMatch(/^ca-va-uber-plane-mehr-[0-9a-f]{8}$/);
  const taken = await other.rest(`PUT /v1/webinars/${second.webinar_id}/registration-page`, {
    slug: first.slug,
  });
  expect([taken.status, taken.body.code]).toEqual([409, 'slug_taken']);
  expect((await changePage(org, first.webinar_id, { slug: first.slug })).slug).toBe(first.slug);
  expect((await openPage(org, {}, { title: '会議' })).slug).toMatch(/^webinar-[0-9a-f]{8}$/);
});

test('a page says honestly why it takes no registrations, and takes none', async () => {
  const org = await world().newOrg();
  const page = await openPage(org, {}, { status: 'draft' });
  const look = async () => {
    passSeconds(world(), 1);
    const token = await openForm(world(), page.url);
    const [shown, posted] = [await fetch(page.url), await post(page.url, { ...ann, token })];
    return [shown.status, /<h1>([^<]*)/.exec(await shown.text())?.[1], posted.status];
  };
  expect(await look()).toEqual([200, 'Registration has not opened yet', 409]);
  await org.rest(`PATCH /v1/webinars/${page.webinar_id}`, { status: 'scheduled' });
  await changePage(org, page.webinar_id, { published: false });
  expect(await look()).toEqual([410, 'This page is closed', 410]);
  passSeconds(world(), 1);
  expect((await fetch(`${page.url}/webinar.ics`)).status).toBe(410);
  await changePage(org, page.webinar_id, { published: true });
  await org.rest('POST /v1/test-clock', { advance: 72 * 3_600 });
  expect(await look()).toEqual([200, 'This webinar is over', 409]);
  const off = await openPage(org, {}, { start_time: new Date(Date.now() + 96 * 3_600_000).toISOString() });
  await org.rest(`POST /v1/webinars/${off.webinar_id}/cancel`, {});
  passSeconds(world(), 1);
  expect(await (await fetch(off.url)).text()).toContain('This webinar was canceled');
  expect((await fetch(`${world().url}/w/no-such-page`)).status).toBe(404);
  expect(await peopleOf(org)).toEqual([]);
});

test('only the sites that were named may frame it, and only the page that is made for it', async () => {
  const org = await world().newOrg();
  const page = await openPage(org, { slug: 'in-a-frame' });
  const policyOf = async (url: string) => {
    const { headers } = await fetch(url);
    return [
      /frame-ancestors (.*)$/.exec(headers.get('content-security-policy')!)?.[1],
      headers.get('x-frame-options'),
    ];
  };
  expect(await policyOf(page.embed_url)).toEqual(["'none'", 'DENY']);
  await changePage(org, page.webinar_id, { frame_origins: ['https://example.com', 'http://localhost:3000'] });
  passSeconds(world(), 1);
  expect(await policyOf(page.embed_url)).toEqual(['https://example.com http://localhost:3000', null]);
  expect(await policyOf(page.url)).toEqual(["'none'", 'DENY']);
  const token = await openForm(world(), page.embed_url);
  const { location } = await post(page.embed_url, { ...ann, token }, { from: newAddress() });
  expect(location).toBe('/w/in-a-frame/embed/registered');
  for (const origin of ['https://example.com/', 'https://a.example; script-src *', '*', 'https://x y'])
    expect(
      (await org.rest(`PUT /v1/webinars/${page.webinar_id}/registration-page`, { frame_origins: [origin] }))
        .status,
    ).toBe(400);
});

test('what cannot be taken comes back as it was typed, with the reason', async () => {
  const org = await world().newOrg();
  const { url } = await openPage(org, { slug: 'hostile', consent_text: 'Yes?' });
  const hostile = '"><script>alert(1)</script>';
  const tried = async (body: Record<string, string> | string, type?: string) => {
    const token = await openForm(world(), url);
    const from = newAddress();
    const sent = typeof body === 'string' ? `${body}&token=${token}` : { ...body, token };
    return post(url, sent, { from, ...(type !== undefined && { type }) });
  };
  const all = { full_name: hostile, email: 'ann@example.com', consent: 'yes' };
  const wrong = await tried({ ...all, email: 'no address' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  expect(wrong.text).toMatch(/id="email"[^>]*value="no address"[^>]*aria-invalid="true"/);
  expect(wrong.text).not.toContain('<script');
  const long = await tried({ ...all, full_name: 'x'.repeat(5_000) });
  expect([long.status, long.text.includes('x'.repeat(5_000))]).toEqual([422, true]);
  const { consent: _, ...silent } = all;
  expect((await tried(silent)).status).toBe(422);
  const empty = await tried({});
  expect(empty.text).toContain('Please fill this in.');
  const twice = await tried('email=a%40example.com&email=b%40example.com&full_name=Ann&consent=yes');
  expect([twice.status, twice.text.includes('value="a@example.com"')]).toEqual([400, true]);
  const garbled = await tried('email=a%40example.com&full_name=%FF%FE&consent=yes');
  expect([garbled.status, garbled.text.includes('value="a@example.com"')]).toEqual([400, true]);
  const nul = await tried('email=a%40example.com&full_name=A%00nn&consent=yes');
  expect(nul.status).toBe(422);
  expect((await tried(JSON.stringify(all), 'application/json')).status).toBe(415);
  expect((await tried(JSON.stringify(all), 'text/plain')).status).toBe(415);
  expect((await tried({ ...all, full_name: 'x'.repeat(70_000) })).status).toBe(413);
  expect(await peopleOf(org)).toEqual([]);
});

test('of several who save what they all read, one is written and the others hear of it', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const save = (n: number, revision: number) =>
    org.rest(`PUT /v1/webinars/${id}/registration-page`, { description: `By ${n}.`, revision });
  for (const [revision, done] of [
    [0, 201],
    [1, 200],
  ] as const) {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => save(n, revision)));
    const written = answers.findIndex(({ status }) => status === done);
    const refused = answers.filter(({ body }) => body.code === 'registration_page_changed');
    expect([written >= 0, refused.length]).toEqual([true, 3]);
    const { body } = await org.rest(`GET /v1/webinars/${id}/registration-page`);
    expect(body.registration_page).toMatchObject({
      description: `By ${written + 1}.`,
      revision: revision + 1,
    });
  }
  expect(await changePage(org, id, { published: false })).toMatchObject({ revision: 3, published: false });
});
