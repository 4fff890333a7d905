import { expect, test } from 'vitest';
import { newDraft, newWebinar, plan, readyDraft, schedule, setLayout } from '../support/broadcast.ts';
import { useWorld } from '../support/world.ts';
import { previewFor, read } from '../broadcasts/draft/draft-ways.ts';

const world = useWorld();

const html = '<h1>News</h1><p>Hello <strong>there</strong></p>';
const layout = {
  company_name: 'Fish & Sons',
  logo_url: 'https://example.com/logo.png?a=1&b=2',
  logo_alt: 'The "fish"',
  footer_text: 'You know us.\nWe know you.',
  postal_address: '1 Main Street, <Springfield>',
};

test('BOD-003 the layout stands around the body: logo, footer and unsubscribe link, in the email and its plain text', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org, { html });
  await setLayout(org, layout);
  const { preview } = await plan(org, id);
  const { message, text } = await previewFor(org, id, preview.person_id);
  const parts = [
    '<!doctype html>',
    '<img src="https://example.com/logo.png?a=1&amp;b=2" alt="The &quot;fish&quot;"',
    html,
    'Fish &amp; Sons',
    '1 Main Street, &lt;Springfield&gt;',
    'You know us.<br>We know you.',
    '>Unsubscribe</a>',
    '</html>',
  ];
  const places = parts.map((part) => message.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(message).toMatch(/<a href="https:\/\/[^"]+"[^>]*>Unsubscribe<\/a>/);
  expect(text).toMatch(
    /^News\n\nHello there\n\n---\n\nFish & Sons\n\n1 Main Street, <Springfield>\n\nYou know us\.\nWe know you\.\n\nUnsubscribe: https:\/\/\S+\n$/,
  );
});

test('BOD-003 the stored html does not hold it, before and after it is scheduled', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org, { html });
  await setLayout(org, layout);
  expect((await read(org, id)).html).toBe(html);
  expect((await plan(org, id)).preview.body).toBe(html);
  const { broadcast } = await schedule(org, id);
  expect(broadcast.html).toBe(html);
  const { rows } = await world().admin.query<{ row: string }>(
    'select b::text as row from broadcasts b where id = $1',
    [id],
  );
  expect(rows[0]!.row).not.toMatch(/Springfield|logo\.png|Unsubscribe/);
});

test('BOD-003 the layout is that of the moment: a draft follows it without being changed', async () => {
  const org = await world().newOrg();
  const { id, updated_at } = await readyDraft(world(), org, { html });
  const { person_id } = (await plan(org, id)).preview;
  await setLayout(org, { company_name: 'Before' });
  expect((await previewFor(org, id, person_id)).message).toContain('Before');
  await setLayout(org, { company_name: 'After' });
  const { message } = await previewFor(org, id, person_id);
  expect(message).toContain('After');
  expect(message).not.toContain('Before');
  expect((await read(org, id)).updated_at).toBe(updated_at);
});

test('BOD-003 each organization has its own layout, and a text has none', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  await setLayout(other, { company_name: 'Others' });
  const { id } = await readyDraft(world(), org, { html });
  const { person_id } = (await plan(org, id)).preview;
  expect((await previewFor(org, id, person_id)).message).not.toContain('Others');
  const webinar_id = await newWebinar(world(), org);
  const sms = { channel: 'sms', audience: 'webinar', webinar_id, message_body: 'Soon' };
  const text = await newDraft(org, sms);
  expect(await previewFor(org, text.id, person_id)).toEqual({
    person_id,
    subject: null,
    message: 'Soon',
    text: 'Soon',
    bytes: 4,
    segments: 1,
  });
});

test('a preview says how many bytes the email has, and needs a body and a person of the organization', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org, { html: '<p>Größe €</p>' });
  const { person_id } = (await plan(org, id)).preview;
  const { message, bytes } = await previewFor(org, id, person_id);
  expect(bytes).toBe(Buffer.byteLength(message));
  const empty = await newDraft(org, { audience: 'everyone' });
  const without = await org.rest(`POST /v1/broadcasts/${empty.id}/preview`, { person_id });
  expect(without).toMatchObject({ status: 409, body: { code: 'no_body' } });
  const stranger = await (await world().newOrg()).person({ email: 'stranger@example.com' });
  const others = await org.rest(`POST /v1/broadcasts/${id}/preview`, { person_id: stranger });
  expect(others).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('without a person a preview shows the recipient of the plan, and the fallbacks while there is none', async () => {
  const org = await world().newOrg();
  const html = '<p>Dear {{var_a}}</p>';
  const variable = '{{context.root_context.org_user.first_name}}';
  const draft = { html, variables: { var_a: { variable, fallback: 'reader' } } };
  const { id } = await readyDraft(world(), org, draft);
  const { preview } = await plan(org, id);
  const shown = await org.rest(`POST /v1/broadcasts/${id}/preview`);
  expect(shown.body).toEqual(await previewFor(org, id, preview.person_id));
  await org.rest(`PATCH /v1/people/${preview.person_id}/opt-outs`, { email_opt_out: true });
  const nobody = await org.rest(`POST /v1/broadcasts/${id}/preview`);
  expect(nobody.body.person_id).toBeNull();
  expect(nobody.body.message).toContain('Dear reader');
});

test('who may not read people cannot choose whose values a preview fills in', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { person_id } = (await plan(org, id)).preview;
  const key = await world().newKey(org, ['broadcasts.read']);
  const refused = await key.rest(`POST /v1/broadcasts/${id}/preview`, { person_id });
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(refused.body.detail).toContain('people.read');
  expect((await key.rest(`POST /v1/broadcasts/${id}/preview`)).status).toBe(200);
});
