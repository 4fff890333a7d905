import { beforeAll, expect, test } from 'vitest';
import { codesOf, newDraft, newWebinar, plan } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces, read, update, type Fields, type Json } from './draft-ways.ts';

const world = useWorld();

let org: TestOrg;
let invitation: Fields;

const variable = '{{context.root_context.org_user.first_name}}';

beforeAll(async () => {
  org = await world().newOrg();
  invitation = {
    audience: 'webinar',
    webinar_id: await newWebinar(world(), org),
    subject: 'Hello',
    preview_text: 'Inside',
    html: '<p>Hello {{var_a}}</p>',
    variables: { var_a: { variable, fallback: 'you' } },
    sender_id: await newSender(world(), org),
  };
});

const written = ({ channel, subject, preview_text, html, message_body, variables, sender }: Json): Json => ({
  channel,
  subject,
  preview_text,
  html,
  message_body,
  variables,
  sender,
});

test.each(faces)(
  'BRD-044 over %s a draft that becomes a text and an email again has lost neither',
  async (face) => {
    const email = await newDraft(org, invitation);
    const { id } = email;
    const asText = (await update[face](org, id, { channel: 'sms' })).body.broadcast;
    expect(written(asText)).toEqual({
      channel: 'sms',
      subject: null,
      preview_text: null,
      html: null,
      message_body: null,
      variables: {},
      sender: null,
    });
    const said = { message_body: 'Hi {{var_b}}', variables: { var_b: { variable } } };
    const text = (await update[face](org, id, said)).body.broadcast;
    const back = (await update[face](org, id, { channel: 'email' })).body.broadcast;
    expect(written(back)).toEqual(written(email));
    expect(codesOf(await plan(org, id, null), 'error')).not.toContain('variable_missing');
    const again = (await update[face](org, id, { channel: 'sms' })).body.broadcast;
    expect(written(again)).toEqual(written(text));
    expect(written(await read(org, id))).toEqual(written(text));
  },
);

test('BRD-044 what is sent with the channel comes before what was kept', async () => {
  const { id } = await newDraft(org, invitation);
  await update.rest(org, id, { channel: 'sms', message_body: 'Hi' });
  const sent = { channel: 'email', subject: 'New', html: '<p>New</p>' };
  const { broadcast } = (await update.rest(org, id, sent)).body;
  expect(broadcast).toMatchObject({ ...sent, preview_text: 'Inside', message_body: null, variables: {} });
  expect(broadcast.sender.id).toBe(invitation['sender_id']);
});

test('BRD-044 a sender that was deleted meanwhile is missing, and nothing else is', async () => {
  const sender_id = await newSender(world(), org, { name: 'Going', email: 'going@channels.test' });
  const { id } = await newDraft(org, { ...invitation, sender_id });
  await update.rest(org, id, { channel: 'sms', message_body: 'Hi' });
  expect((await org.rest(`DELETE /v1/senders/${sender_id}`)).status).toBe(200);
  const { status, body } = await update.rest(org, id, { channel: 'email' });
  expect(status).toBe(200);
  expect(body.broadcast).toMatchObject({ subject: 'Hello', sender: null });
});
