import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { codesOf, newDraft, newWebinar, plan, setLayout, readyDraft } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { useWorld } from '../../support/world.ts';
import { blocksUntil, patch, readyInvitation, readyText, warnsUntil, type Json } from './plan-support.ts';

const world = useWorld();

test('PLN-025 subject_missing blocks an email until it has a subject', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const sender_id = await newSender(world(), org);
  const { id } = await newDraft(org, { audience: 'everyone', html: '<p>Hello</p>', sender_id });
  expect(codesOf(await plan(org, id), 'error')).toEqual(['subject_missing']);
  for (const subject of [' ', '\t', '\u00a0', '   ']) {
    await patch(org, id, { subject });
    await blocksUntil(org, id, 'subject_missing', () => patch(org, id, { subject: 'Hello' }));
  }
});

test('PLN-031 body_missing blocks an email until it has html', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const sender_id = await newSender(world(), org);
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hello', sender_id });
  expect((await plan(org, id)).preview).toBeNull();
  const check = await blocksUntil(org, id, 'body_missing', () => patch(org, id, { html: '<p>Hello</p>' }));
  expect(check.message).toContain('html');
});

test.each(['', '  \n ', '<p></p>', '<p>&nbsp;</p><p> <br> </p>', '<ul></ul>', '<h1><em> </em></h1>'])(
  'PLN-031 body_missing blocks an email whose html %j shows nothing',
  async (html) => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org, { html });
    const check = await blocksUntil(org, id, 'body_missing', () => patch(org, id, { html: '<p>.</p>' }));
    expect(check.message).toContain('html');
  },
);

test.each([
  '<img src="https://example.com/a.png" alt="">',
  '<p><a href="https://example.com"><img src="https://example.com/a.png" alt="Tea"></a></p>',
  '<p>{{var_name}}</p>',
  '<p>0</p>',
])('PLN-031 html %j is a body', async (html) => {
  const org = await world().newOrg();
  const variables = { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'x' } };
  const { id } = await readyDraft(world(), org, { html, variables });
  expect(await plan(org, id)).toMatchObject({ ready: true });
});

test('PLN-032 body_missing blocks a text until it has a message_body', async () => {
  const org = await world().newOrg();
  const { webinar } = await readyText(world(), org);
  const sms = { channel: 'sms', audience: 'webinar', webinar_id: webinar };
  const { id } = await newDraft(org, sms);
  const check = await blocksUntil(org, id, 'body_missing', () => patch(org, id, { message_body: 'Soon' }));
  expect(check.message).toContain('message_body');
  for (const message_body of ['', ' \n ', '\u200b']) {
    await patch(org, id, { message_body });
    await blocksUntil(org, id, 'body_missing', () => patch(org, id, { message_body: 'Soon' }));
  }
});

test('PLN-031 PLN-032 a draft that changes its channel has lost its body', async () => {
  const org = await world().newOrg();
  const { id } = await readyInvitation(world(), org, await newWebinar(world(), org));
  await readyText(world(), org);
  await patch(org, id, { channel: 'sms' });
  const check = await blocksUntil(org, id, 'body_missing', () => patch(org, id, { message_body: 'Soon' }));
  expect(check.message).toContain('message_body');
});

test('links_without_https warns of links that begin with http:, and counts them', async () => {
  const org = await world().newOrg();
  const link = (url: string) => `<p><a href="${url}">x</a></p>`;
  const { id } = await readyDraft(world(), org, {
    html: link('http://example.com') + link('HTTP://example.com/b') + link('https://example.com'),
  });
  const secure = link('https://example.com') + link('mailto:a@example.com') + link('tel:+15550100123');
  const check = await warnsUntil(org, id, 'links_without_https', () => patch(org, id, { html: secure }));
  expect(check.count).toBe(2);
});

test('PLN-038 sent_before warns when the same subject and body went out, and no longer when either differs', async () => {
  const org = await world().newOrg();
  const [one, other] = [await world().newOrg(), await world().newOrg()];
  const subject = `Hello ${randomUUID()}`;
  const { id } = await readyDraft(world(), org, { subject });
  const begin = async ({ id: sent }: Json, started_at: string | null) =>
    world().admin.query("update broadcasts set status = 'sent', started_at = $2 where id = $1", [
      sent,
      started_at,
    ]);
  await begin(await readyDraft(world(), one, { subject }), '2026-01-05T10:00:00Z');
  await begin(await readyDraft(world(), org, { subject: 'Hello' }), '2026-01-04T10:00:00Z');
  await begin(await readyDraft(world(), org, { subject }), null);
  await readyDraft(world(), other, { subject });
  expect(codesOf(await plan(org, id))).toEqual(['everyone']);
  await begin(await readyDraft(world(), org, { subject }), '2026-01-02T10:00:00Z');
  await begin(await readyDraft(world(), org, { subject }), '2026-01-03T10:00:00Z');
  const check = await warnsUntil(org, id, 'sent_before', () => patch(org, id, { subject: 'Hello again' }));
  expect(check.message).toContain('2026-01-03T10:00:00.000Z');
  await patch(org, id, { subject });
  await warnsUntil(org, id, 'sent_before', () => patch(org, id, { html: '<p>Hello there!</p>' }));
});
