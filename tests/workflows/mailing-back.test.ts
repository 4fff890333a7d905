import { expect, test } from 'vitest';
import { publicUrls } from '../../src/domain/delivery/outgoing/public-urls.ts';
import { noteBounce } from '../../src/domain/delivery/inbound/note-bounce.ts';
import { noteComplaint } from '../../src/domain/delivery/inbound/note-complaint.ts';
import { inService } from '../support/in-service.ts';
import { ledgerOf } from '../support/ledger.ts';
import { receiversOf, useSending } from '../support/sending.ts';
import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import { eventsOf, follow, judge, partsOf } from '../tracking/sent-broadcast.ts';
import { add, newMailing, over } from './mailing-setting.ts';

const sending = useSending();

/** A message of a mailing that somebody got. */
async function newGot() {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const [[email, person]] = [...(await newReaders(org, 1))] as [[string, string]];
  const html = '<p><a href="https://a.example/1">Read</a></p>';
  const mailing = await newMailing(world, org, { html });
  await add(world, org, mailing, [person]);
  const { id } = await over(world, mailing);
  expect(receiversOf(mail, mailing.message.subject!)).toEqual([email]);
  const delivery = (await ledgerOf(world, id))[0]!.id;
  const urls = publicUrls(partsOf(world).keys, world.url, { org: org.id, delivery });
  const { workflow_id, node } = mailing;
  const of = { workflow_id, node };
  const laterEvents = async () =>
    (await eventsOf(world, person)).map(({ name, custom_properties }) => ({ name, custom_properties }));
  const totals = async () => {
    const { rows } = await world.admin.query(
      `select opened::int, clicked::int, bounced::int, complained::int, unsubscribed::int from broadcasts where id = $1`,
      [id],
    );
    return rows[0];
  };
  return { world, org, person, email, mailing, delivery, urls, of, laterEvents, totals };
}

test('opens and clicks of a workflow’s message are counted, and the timeline tells the workflow', async () => {
  const { world, urls, of, laterEvents, totals } = await newGot();
  // As long after the hand-over as nobody's scanner waits.
  await world.admin.query(`update deliveries set sent_at = sent_at - interval '1 hour'`);
  expect((await follow(urls.open)).status).toBe(200);
  const clicked = await follow(urls.click(0));
  expect([clicked.status, clicked.headers.get('location')]).toEqual([302, 'https://a.example/1']);
  await expect.poll(async () => (await judge(world), (await totals()).clicked)).toBe(1);
  expect(await totals()).toMatchObject({ opened: 1, clicked: 1 });
  expect(await laterEvents()).toEqual([
    { name: '$svc_email_opened', custom_properties: of },
    { name: '$svc_email_clicked', custom_properties: { ...of, link: 0, url: 'https://a.example/1' } },
  ]);
});

test('whoever unsubscribes by a workflow’s message gets no more of it', async () => {
  const { world, org, person, mailing, urls, of, laterEvents, totals } = await newGot();
  expect((await fetch(urls.unsubscribe, { method: 'POST' })).status).toBe(200);
  expect(await laterEvents()).toEqual([
    { name: '$svc_unsubscribed', custom_properties: { ...of, channel: 'email' } },
  ]);
  expect(await totals()).toMatchObject({ unsubscribed: 1 });
  await add(world, org, mailing, [person]);
  expect(await over(world, mailing)).toMatchObject({ recipients: 2, sent: 1 });
});

test('a bounce and a complaint about a workflow’s message blacklist the address and tell the workflow', async () => {
  const { world, org, person, email, delivery, of, laterEvents, totals } = await newGot();
  await inService(world, org, (work) => noteBounce(work, { delivery, bounceClass: 'hard', code: '5.1.1' }));
  await inService(world, org, (work) => noteComplaint(work, { delivery }));
  expect(await totals()).toMatchObject({ bounced: 1, complained: 1 });
  expect(await laterEvents()).toEqual([
    { name: '$svc_email_bounced', custom_properties: { ...of, class: 'hard', code: '5.1.1' } },
    { name: '$svc_email_complained', custom_properties: of },
  ]);
  const { rows } = await world.admin.query('select email from email_blacklist where person_id = $1', [
    person,
  ]);
  expect(rows).toEqual([{ email }]);
});
