import { afterAll, beforeAll, expect, test } from 'vitest';
import { hearTexts } from '../../src/domain/delivery/providers/hear-texts.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { openProviders } from '../../src/main/providers.ts';
import { routeConfig } from '../../src/main/route-settings.ts';
import { newRoute, useRoute } from '../support/route.ts';
import { startTwilio } from '../support/twilio.ts';
import { useWorld } from '../support/world.ts';
import { aText } from './smpp-setting.ts';
import { deliveryOf, isOptedOut, newTextOrg, publicUrl, sentText } from './text-setting.ts';

const twilio = await startTwilio();
afterAll(() => twilio.stop());
const world = useWorld({ env: { PUBLIC_URL: publicUrl } });
const settings = {
  TWILIO_ACCOUNT_SID: twilio.accountSid,
  TWILIO_AUTH_TOKEN: twilio.authToken,
  TWILIO_BASE_URL: twilio.baseUrl,
};
beforeAll(async () => {
  await newRoute(world(), 'theirs', settings, 'twilio');
  await newRoute(world(), 'others', { ...settings, TWILIO_AUTH_TOKEN: 'another token of others' }, 'twilio');
  await newRoute(world(), 'smsc', { SMPP_URL: 'smpp://id:password@127.0.0.1:9' }, 'smpp');
});

/** As Twilio calls the address that it was given for a route. */
const deliver = (query: string, fields: Record<string, string>) => {
  const path = `/webhooks/twilio/inbound${query}`;
  return twilio.callBack(
    { sid: '', To: fields['To']!, From: fields['From']!, Body: '', StatusCallback: publicUrl + path },
    world().url,
    fields,
  );
};

test('a text that comes in over a route counts for organizations that use it, and for no other', async () => {
  const number = '+15550009999';
  const [own, other] = [await newTextOrg(world(), number), await newTextOrg(world(), number)];
  await useRoute(world(), own.org, 'theirs', 'sms');
  const phone = '+447911000001';
  const people = [await own.org.person({ phone }), await other.org.person({ phone })];
  const stop = { From: phone, To: number, Body: 'STOP' };
  for (const query of ['?route=others', '?route=smsc', '?route=nobody'])
    expect((await deliver(query, stop)).status).toBe(403);
  expect((await deliver('', stop)).status).toBe(404); // the environment has no provider
  expect(await isOptedOut(own.org, people[0]!)).toBe(false);
  expect((await deliver('?route=theirs', stop)).status).toBe(200);
  expect(await isOptedOut(own.org, people[0]!)).toBe(true);
  expect(await isOptedOut(other.org, people[1]!)).toBe(false);
});

test('a text over a route names the route in the address that its receipt comes to', async () => {
  const hearing = { onReceipt: async () => {}, onText: async () => {}, onTrouble: () => {} };
  const { text } = openProviders(routeConfig(world().config, 'twilio', settings), hearing, 'theirs');
  await text!.send({ ...aText('Hello'), token: 'abc' });
  await text!.close();
  expect(twilio.messages.at(-1)?.StatusCallback).toBe(
    `${publicUrl}/webhooks/twilio/status/abc?route=theirs#rc=5&rp=all`,
  );
});

test('a receipt over SMPP is of a text that went over that route, though another provider gave the same id', async () => {
  const { database, config, clock } = world();
  const [own, other] = [await newTextOrg(world()), await newTextOrg(world())];
  const longAgo = new Date(Date.now() - 2 * 60_000);
  await useRoute(world(), own.org, 'smsc', 'sms', longAgo);
  const receipt = 'one-1';
  const sent = [];
  for (const { org } of [own, other])
    sent.push(await sentText(world(), org, await org.person({ phone: '+447911000002' }), { receipt }));
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const news = { outcome: 'delivered' } as const;
  await hearTexts(database, parts, clock, 'smsc').onReceipt({ receipt, news });
  const at = await Promise.all(sent.map(({ delivery }) => deliveryOf(world(), delivery)));
  expect(at.map(({ delivered_at }) => delivered_at)).toEqual([expect.any(Date), null]);
});

test('a receipt over a route that was left is of a text that went over it before', async () => {
  const { database, config, clock } = world();
  const { org } = await newTextOrg(world());
  await useRoute(world(), org, 'smsc', 'sms');
  const person = await org.person({ phone: '+447911000003' });
  const { delivery } = await sentText(world(), org, person, { receipt: 'left-1' });
  await useRoute(world(), org, 'theirs', 'sms');
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const news = { outcome: 'delivered' } as const;
  await hearTexts(database, parts, clock, 'smsc').onReceipt({ receipt: 'left-1', news });
  expect((await deliveryOf(world(), delivery)).delivered_at).toEqual(expect.any(Date));
});
