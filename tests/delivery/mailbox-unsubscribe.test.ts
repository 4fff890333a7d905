import { expect, test } from 'vitest';
import { composeEmail } from '../../src/domain/delivery/outgoing/email-message.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { useWorld } from '../support/world.ts';
import { auditOf } from '../tracking/sent-broadcast.ts';
import { mail, newSent, stateOf, tokenOf, useMailbox, type Sent } from './back-in.ts';
import { signingKey } from './smtp-email.ts';

const host = 'bounce.mail.test';
const world = useWorld({ env: { MAIL_RETURN_PATH_HOST: host } });
const mailbox = useMailbox(world);

const note = 'From: ada@receiver.test\r\nSubject: unsubscribe\r\n\r\nPlease.';
const leave = (to: string, message = note, from = 'ada@receiver.test'): Promise<string> =>
  mail(mailbox().port, to, message, from);

/** The address in the header of the message as it is sent. */
function addressIn({ org, delivery, broadcast, to }: Sent): string {
  const { headers } = composeEmail({
    keys: keyring(world().config),
    mail: mailSettings(world().config),
    org: org.id,
    delivery,
    broadcastId: broadcast,
    sender: { from: 'News <news@sender.test>', reply_to: 'a@sender.test', domain: 'sender.test' },
    dkim: { domain: 'sender.test', selector: 'r1', key: signingKey },
    to,
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
  });
  return /<mailto:([^?>]+)\?/.exec(headers['List-Unsubscribe']!)![1]!;
}

const optOutsOf = async ({ org, person }: Sent) =>
  (await org.rest(`GET /v1/people/${person}/opt-outs`)).body.opt_outs;

test.each([
  ['what a mail program sends', note, 'ada@receiver.test'],
  ['a mail from somewhere else', note, 'postmaster@elsewhere.test'],
  ['a mail of nobody', note, ''],
  ['a mail without anything in it', '', 'ada@receiver.test'],
])('%s, sent to the address in the header, opts the recipient out', async (_, message, from) => {
  const sent = await newSent(world(), await world().newOrg());
  const other = await newSent(world(), sent.org);
  expect(await leave(addressIn(sent), message, from)).toMatch(/^250 /);
  expect(await optOutsOf(sent)).toEqual({ email_opt_out: true, sms_opt_out: false });
  expect(await optOutsOf(other)).toEqual({ email_opt_out: false, sms_opt_out: false });
  const { row, totals, blacklist, events } = await stateOf(world(), sent);
  expect(row).toMatchObject({ state: 'sent', unsubscribed_at: expect.any(Date), bounced_at: null });
  expect(totals).toMatchObject({ unsubscribed: 1, bounced: 0, complained: 0 });
  expect(blacklist).toEqual([]);
  expect(events).toMatchObject([{ name: '$svc_unsubscribed', custom_properties: { channel: 'email' } }]);
  expect((await auditOf(world(), sent.org, 'unsubscribe')).at(-1)).toEqual({
    actor_kind: 'service',
    actor_id: 'mailbox',
    ids: { person_id: sent.person, broadcast_id: sent.broadcast },
  });
  expect(mailbox().lines.at(-1)).toContain('"notice":"unsubscribed","news":true');
});

test('twice is as good as once, and an address may be folded', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await leave(addressIn(sent));
  const once = await stateOf(world(), sent);
  expect(await leave(addressIn(sent).toUpperCase())).toMatch(/^250 /);
  expect(await stateOf(world(), sent)).toEqual(once);
});

test('what names the message elsewhere is no such address', async () => {
  const sent = await newSent(world(), await world().newOrg());
  for (const purpose of ['bounce', 'message', 'unsubscribe', 'open', 'click'] as const) {
    const token = tokenOf(world(), sent.org, sent.delivery, purpose);
    expect(await leave(`u-${token}@${host}`)).toMatch(/^550 /);
  }
  const [local = ''] = addressIn(sent).split('@');
  expect(await leave(`b-${local.slice(2)}@${host}`)).toMatch(/^550 /);
  expect(await leave(`${local}0@${host}`)).toMatch(/^550 /);
  expect(await optOutsOf(sent)).toMatchObject({ email_opt_out: false });
});
