import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const empty = {
  company_name: null,
  logo_url: null,
  logo_alt: null,
  footer_text: null,
  postal_address: null,
  link_color: null,
  button_color: null,
};
const whole = {
  company_name: 'Acme, Inc.',
  logo_url: 'https://cdn.example.com/logo.png',
  logo_alt: 'Acme',
  footer_text: 'You signed up.\nThank you.',
  postal_address: '1 Main St\nSpringfield',
  link_color: '#9d174d',
  button_color: '#ffcc00',
};

test('a layout is empty until it is set, reads back as it was set, and is the organization’s own', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  expect((await org.rest('GET /v1/email-layout')).body).toEqual({ email_layout: empty });
  const set = await org.rest('PUT /v1/email-layout', whole);
  expect(set).toMatchObject({ status: 200, body: { email_layout: whole } });
  expect((await org.rest('GET /v1/email-layout')).body).toEqual({ email_layout: whole });
  expect((await other.rest('GET /v1/email-layout')).body).toEqual({ email_layout: empty });
});

test('setting a layout sets the whole of it: what is left out or null is cleared', async () => {
  const org = await world().newOrg();
  await org.rest('PUT /v1/email-layout', whole);
  const { body } = await org.rest('PUT /v1/email-layout', { postal_address: ' 2 Side St ', logo_url: null });
  expect(body).toEqual({ email_layout: { ...empty, postal_address: '2 Side St' } });
  expect((await org.rest('GET /v1/email-layout')).body).toEqual(body);
  expect((await org.rest('PUT /v1/email-layout', {})).body).toEqual({ email_layout: empty });
});

test.each([
  ['/logo_url', 'http://cdn.example.com/logo.png'],
  ['/logo_url', 'javascript:alert(1)'],
  ['/logo_url', 'data:image/png;base64,AAAA'],
  ['/logo_url', '/logo.png'],
  ['/logo_url', `https://cdn.example.com/${'a'.repeat(2_000)}`],
  ['/company_name', ' '],
  ['/company_name', 'a'.repeat(201)],
  ['/footer_text', 'a'.repeat(2_001)],
  ['/postal_address', 7],
  ['/color', '#fff'],
  ['/link_color', 'red'],
  ['/link_color', '#fff'],
  ['/link_color', '#ffcc00'],
  ['/link_color', '#777777'],
  ['/button_color', '#123456;background:url(x)'],
])('the field %s with %j is refused, and the layout stays', async (pointer, value) => {
  const org = await world().newOrg();
  await org.rest('PUT /v1/email-layout', whole);
  const before = await contentsOf(world().admin, org);
  const refused = await org.rest('PUT /v1/email-layout', { ...whole, [pointer.slice(1)]: value });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('a color that is hard to read on white is refused in words that say so; capitals read back small', async () => {
  const org = await world().newOrg();
  const { body } = await org.rest('PUT /v1/email-layout', { link_color: '#FFCC00' });
  expect(body.errors[0].detail).toMatch(/hard to read on white.*darker/);
  const set = await org.rest('PUT /v1/email-layout', { link_color: '#9D174D' });
  expect(set.body.email_layout.link_color).toBe('#9d174d');
});
