import { expect, test } from 'vitest';
import {
  codesOf,
  newDraft,
  atNoon,
  plan,
  setLayout,
  setVerified,
  readyDraft,
} from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { useWorld } from '../../support/world.ts';
import { blocksUntil, patch, readyText, setNumber } from './plan-support.ts';

const world = useWorld();

test('PLN-019 PLN-026 sender_missing blocks until there is a sender, and its record is in the plan', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hello', html: '<p>Hello</p>' });
  expect((await plan(org, id)).sender).toBeNull();
  const sender_id = await newSender(world(), org, { name: 'Rita', email: 'rita@missing.example' });
  await blocksUntil(org, id, 'sender_missing', () => patch(org, id, { sender_id }));
  const address = 'rita@missing.example';
  const sender = { id: sender_id, from: `Rita <${address}>`, reply_to: address };
  expect((await plan(org, id)).sender).toEqual(sender);
});

test('PLN-026 sender_missing is there again when the sender was taken away or deleted', async () => {
  const org = await world().newOrg();
  const [one, other] = [await newSender(world(), org), await newSender(world(), org)];
  const { id } = await readyDraft(world(), org, { sender_id: one });
  await patch(org, id, { sender_id: null });
  await blocksUntil(org, id, 'sender_missing', () => patch(org, id, { sender_id: one }));
  expect((await org.rest(`DELETE /v1/senders/${one}`)).status).toBe(200);
  await blocksUntil(org, id, 'sender_missing', () => patch(org, id, { sender_id: other }));
});

test('PLN-027 sender_domain_unverified blocks as long as the sender is not ready, and names its domain', async () => {
  const org = await world().newOrg();
  const sender_id = await newSender(world(), org, { ready: false, email: 'news@unverified.example' });
  const { id } = await readyDraft(world(), org, { sender_id });
  const senders = await org.rest('GET /v1/senders');
  const listed = senders.body.senders.find((sender: { id: string }) => sender.id === sender_id);
  expect(listed.ready).toBe(false);
  const check = await blocksUntil(org, id, 'sender_domain_unverified', () =>
    setVerified(world(), sender_id, true),
  );
  expect(check.message).toContain('unverified.example');
  expect(check.message).toContain(listed.not_ready_reason);
  await setVerified(world(), sender_id, false);
  const another = await newSender(world(), org);
  await blocksUntil(org, id, 'sender_domain_unverified', () => patch(org, id, { sender_id: another }));
});

test('PLN-011 layout_incomplete blocks an email until the layout has a postal address', async () => {
  const org = await world().newOrg();
  const sender_id = await newSender(world(), org);
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'S', html: '<p>B</p>', sender_id });
  const check = await blocksUntil(org, id, 'layout_incomplete', () => setLayout(org));
  expect(check.message).toContain('PUT /v1/email-layout');
  // Blank as the dashboard or an older release may have left it.
  for (const address of ['', '  \n ', null]) {
    await world().admin.query('update email_layouts set postal_address = $2 where org_id = $1', [
      org.id,
      address,
    ]);
    await blocksUntil(org, id, 'layout_incomplete', () => setLayout(org));
  }
});

test('PLN-011 sms_number_missing blocks a text until there is a number', async () => {
  const org = await world().newOrg();
  const { id } = await readyText(world(), org);
  await setNumber(org, null);
  const check = await blocksUntil(org, id, 'sms_number_missing', () => setNumber(org, '+15550009999'));
  expect(check.message).toContain('number');
});

test('PLN-011 what an email needs a text does not, and the other way round', async () => {
  const org = await world().newOrg();
  const text = await readyText(world(), org);
  const planned = await plan(org, text.id, atNoon());
  expect(planned).toMatchObject({ ready: true, sender: null, checks: [] });
  const email = await readyDraft(world(), org);
  await setNumber(org, null);
  expect(codesOf(await plan(org, email.id))).toEqual(['everyone']);
});

test('PLN-019 another organization’s sender never shows: its id is not found', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id } = await readyDraft(world(), org);
  const sender_id = await newSender(world(), other);
  const refused = await org.rest(`PATCH /v1/broadcasts/${id}`, { sender_id });
  expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await plan(org, id)).sender.id).not.toBe(sender_id);
});
