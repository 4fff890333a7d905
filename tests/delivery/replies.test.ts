import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { mail, newSent, stateOf, tokenOf, useMailbox, type Sent } from './back-in.ts';
import { sampleOf } from './dsn-samples.ts';

const world = useWorld();
const mailbox = useMailbox(world);

const reply = (sent: Sent, headers = `In-Reply-To: <${sent.messageId}>`, from = sent.to): Promise<string> =>
  mail(
    mailbox().port,
    'replies@bounce.rostrum.test',
    `From: Ada <${sent.to}>\nTo: news@sender.test\nSubject: Re: Hello\n${headers}\n\nThank you!\n`,
    from,
  );

async function repliesOf(sent: Sent) {
  const { rows } = await world().admin.query(
    'select last_replied_at, engagement from people where org_id = $1 and id = $2',
    [sent.org.id, sent.person],
  );
  const { row, audit, events } = await stateOf(world(), sent);
  return { ...rows[0], replied_at: row.replied_at, audit, events };
}

test.each([
  ['In-Reply-To', (id: string) => `In-Reply-To: <${id}>`],
  [
    'References, among others',
    (id: string) => `In-Reply-To: <x@y.test>\nReferences: <a@b.test>\n <${id}> <c@d.test>`,
  ],
])('a reply is known by %s', async (_, headers) => {
  const sent = await newSent(world(), await world().newOrg());
  expect(await reply(sent, headers(sent.messageId))).toMatch(/^250 /);
  const { replied_at, last_replied_at, engagement, audit, events } = await repliesOf(sent);
  expect(replied_at).toEqual(expect.any(Date));
  expect(last_replied_at).toEqual(replied_at);
  expect(engagement).toEqual(expect.any(Number));
  expect(audit).toMatchObject([{ operation: 'note_replied', actor_id: 'mailbox' }]);
  expect(events).toEqual([]);
});

test('a second reply to the same message changes nothing', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await reply(sent);
  const once = await repliesOf(sent);
  expect(await reply(sent)).toMatch(/^250 /);
  expect(await repliesOf(sent)).toEqual(once);
});

test('the last reply of a person is the latest, whichever message it answers', async () => {
  const org = await world().newOrg();
  const first = await newSent(world(), org);
  const second = await newSent(world(), org, { to: first.to, person: first.person });
  await reply(second);
  const later = new Date('2036-01-01T00:00:00Z');
  await world().admin.query('update people set last_replied_at = $2 where id = $1', [first.person, later]);
  await reply(first);
  expect((await repliesOf(first)).last_replied_at).toEqual(later);
});

test.each([
  ['an automatic answer', 'Auto-Submitted: auto-replied'],
  ['a machine', 'Auto-Submitted: auto-generated (vacation)'],
  ['bulk mail', 'Precedence: bulk'],
  ['an old responder', 'Precedence: auto_reply'],
  ['another responder', 'X-Autoreply: yes'],
  ['one more responder', 'X-Autorespond: away'],
  ['a report', 'Content-Type: multipart/report; report-type=disposition-notification; boundary=x'],
])('%s is no reply', async (_, header) => {
  const sent = await newSent(world(), await world().newOrg());
  expect(await reply(sent, `In-Reply-To: <${sent.messageId}>\n${header}`)).toMatch(/^250 /);
  expect(await repliesOf(sent)).toMatchObject({ replied_at: null, last_replied_at: null, audit: [] });
});

test('what says in so many words that no machine wrote it is a reply', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await reply(sent, `In-Reply-To: <${sent.messageId}>\nAuto-Submitted: no`);
  expect((await repliesOf(sent)).replied_at).toEqual(expect.any(Date));
});

test('nobody in particular replies to nothing: no sender, no message of ours, a forged one, a bounce', async () => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  const forged = tokenOf(world(), org, sent.delivery, 'open');
  await reply(sent, `In-Reply-To: <${sent.messageId}>`, '');
  await reply(sent, 'In-Reply-To: <x@sender.test>');
  await reply(sent, `In-Reply-To: <${forged}@sender.test>`);
  await reply(sent, 'X-Nothing: here');
  await mail(mailbox().port, 'replies@bounce.rostrum.test', sampleOf('gmail', sent), 'postmaster@x.test');
  expect(await repliesOf(sent)).toMatchObject({ replied_at: null, last_replied_at: null, audit: [] });
});

test('a reply of somebody who is gone is kept with the message alone', async () => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  await org.rest(`DELETE /v1/people/${sent.person}`);
  expect(await reply(sent)).toMatch(/^250 /);
  expect((await stateOf(world(), sent)).row.replied_at).toEqual(expect.any(Date));
});
