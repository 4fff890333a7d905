import ICAL from 'ical.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMail, type Mail } from '../support/mail.ts';
import { newSender } from '../support/sender-row.ts';
import { advanceClock } from '../support/sending.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';
import { openWorld, type World } from '../support/world.ts';
import { newWritingOrg } from './letter-setting.ts';
import { receivedBy } from './received.ts';

let mail: Mail;
let world: World;
beforeAll(async () => {
  mail = await startMail();
  world = await openWorld({ engine: true, env: { SMTP_URL: mail.url, DNS_SERVERS: '127.0.0.1:9' } });
});
afterAll(async () => {
  await world?.close();
  await mail?.stop();
});

test('the email that confirms a registration brings the webinar with the personal link; a reminder does not', async () => {
  const org = await newWritingOrg(world);
  const sender_id = await newSender(world, org, { email: 'news@acme.test', reply_to: 'answers@acme.test' });
  const webinar = await createWebinar(org, {
    join_url: 'https://example.com/join',
    title: 'Fish, chips; más',
  });
  const message = { type: 'send_email', html: '<p>Hello</p>', sender_id };
  await liveWorkflow(
    org,
    inLine(
      onRegistration(webinar.id),
      { id: 'welcome', subject: 'You are in', ...message },
      { id: 'later', type: 'wait', anchor: 'start', offset_minutes: -60 },
      { id: 'remind', subject: 'Soon', ...message },
    ),
  );
  const address = 'ok-confirmed@mbox.test';
  await registerFor(org, webinar.id, { email: address });
  const got = await receivedBy(mail, address);
  expect([got.subject, got.text.split('\n')[0], got.html.includes('<p>Hello</p>')]).toEqual([
    'You are in',
    'Hello',
    true,
  ]);
  expect(got.attachments).toMatchObject([
    { filename: 'webinar.ics', mimeType: 'text/calendar', disposition: 'attachment' },
  ]);
  const file = Buffer.from(got.attachments[0]!.content as ArrayBuffer).toString();
  const entry = new ICAL.Event(new ICAL.Component(ICAL.parse(file)).getFirstSubcomponent('vevent')!);
  expect([entry.uid, entry.summary, entry.location]).toEqual([
    `${webinar.id}@rostrum`,
    'Fish, chips; más',
    'https://example.com/join',
  ]);
  const { rows } = await world.admin.query(
    'select node, attaches_calendar from broadcasts where org_id = $1 order by node',
    [org.id],
  );
  expect(rows).toEqual([{ node: 'welcome', attaches_calendar: true }]);
  await advanceClock(org, 47.5 * 3_600);
  await expect
    .poll(
      async () =>
        (
          await world.admin.query(
            "select attaches_calendar from broadcasts where org_id = $1 and node = 'remind' and sent = 1",
            [org.id],
          )
        ).rows,
    )
    .toEqual([{ attaches_calendar: false }]);
});
