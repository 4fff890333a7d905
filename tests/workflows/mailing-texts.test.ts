import { afterAll, beforeAll, expect, test } from 'vitest';
import { optOutOfTexts } from '../../src/domain/delivery/inbound/opt-out-of-texts.ts';
import type { PersonId } from '../../src/kernel/ids.ts';
import { newWebinar } from '../support/broadcast.ts';
import { inService } from '../support/in-service.ts';
import { outcomesOf } from '../support/ledger.ts';
import { startTwilio, type Twilio } from '../support/twilio.ts';
import { openWorld, type World } from '../support/world.ts';
import { timelineOf } from '../texts/text-setting.ts';
import { add, newTextMailing, over, rowOf } from './mailing-setting.ts';

let twilio: Twilio;
let world: World;
beforeAll(async () => {
  twilio = await startTwilio();
  world = await openWorld({
    engine: true,
    env: {
      PUBLIC_URL: 'https://rostrum.example.net',
      SMS_PROVIDER: 'twilio',
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_BASE_URL: twilio.baseUrl,
    },
  });
});
afterAll(async () => {
  await world.close();
  await twilio.stop();
});

test('a workflow’s text goes to whoever is added, and stopping it is told of the workflow', async () => {
  const org = await world.newOrg();
  await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  const phones = ['+15550102', '+15550103'];
  await org.rest('PATCH /v1/settings', { test_recipients: phones });
  const [stays = '', stops = ''] = await Promise.all(phones.map((phone) => org.person({ phone })));
  const mailing = await newTextMailing(world, org, await newWebinar(world, org));
  await add(world, org, mailing, [stays, stops]);
  await over(world, mailing);
  expect(twilio.messages.map(({ To }) => To).toSorted()).toEqual(phones);
  await inService(world, org, (work) => optOutOfTexts(work, [stops as PersonId]));
  const { workflow_id, node } = mailing;
  const of = { workflow_id, node };
  expect(await timelineOf(org, stops)).toMatchObject([
    { event_name: '$svc_text_sent', custom_properties: of },
    { event_name: '$svc_unsubscribed', custom_properties: { channel: 'sms', ...of } },
  ]);
  await add(world, org, mailing, [stays, stops]);
  const { id } = await over(world, mailing);
  expect(await outcomesOf(world, id)).toEqual({ sent: 3, 'skipped opted_out': 1 });
});

test('texts wait, and say why, while the organization has no number to send from', async () => {
  const org = await world.newOrg();
  const phone = '+15550104';
  await org.rest('PATCH /v1/settings', { test_recipients: [phone] });
  const mailing = await newTextMailing(world, org, null);
  await add(world, org, mailing, [await org.person({ phone })]);
  const errorOf = async () => (await rowOf(world, mailing)).error;
  await expect.poll(errorOf, { timeout: 60_000 }).toMatch(/no number to send texts from/);
  expect(await outcomesOf(world, (await rowOf(world, mailing)).id)).toEqual({ pending: 1 });
});
