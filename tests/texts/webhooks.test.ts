import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { tokenFor } from '../../src/domain/delivery/ledger/delivery-token.ts';
import { isSignedByTwilio } from '../../src/domain/delivery/providers/twilio/signature.ts';
import { keyring } from '../../src/main/keys.ts';
import { startTwilio } from '../support/twilio.ts';
import { openWorld, useWorld } from '../support/world.ts';
import { deliveryOf, newTextOrg, publicUrl, sentText, twilioSettings } from './text-setting.ts';

const twilio = await startTwilio();
afterAll(() => twilio.stop());
const world = useWorld({ env: twilioSettings(twilio) });

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(world().url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });

const sign = (text: string, token = twilio.authToken) =>
  createHmac('sha1', token).update(text).digest('base64');

test('a callback that Twilio did not sign for our address changes nothing', async () => {
  const { org } = await newTextOrg(world());
  const { asked, delivery } = await sentText(world(), org, await org.person({ phone: '+447911123456' }));
  const path = new URL(asked.StatusCallback).pathname;
  const body = 'MessageStatus=delivered';
  const signed = 'MessageStatusdelivered';
  const forged = [
    {},
    { 'x-twilio-signature': '' },
    { 'x-twilio-signature': sign(publicUrl + path + signed, 'another token') },
    { 'x-twilio-signature': sign(world().url + path + signed) },
    { 'x-twilio-signature': sign(publicUrl + path) },
    { 'x-twilio-signature': sign(`${publicUrl + path}MessageStatusfailed`) },
    {
      'x-twilio-signature': sign(
        publicUrl + path.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')) + signed,
      ),
    },
  ];
  for (const headers of forged) {
    const response = await post(path, body, headers as Record<string, string>);
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toContain('application/json');
  }
  expect(await deliveryOf(world(), delivery)).toMatchObject({ delivered_at: null });
  const right = await post(path, body, { 'x-twilio-signature': sign(publicUrl + path + signed) });
  expect(right.status).toBe(204);
  expect(await deliveryOf(world(), delivery)).toMatchObject({ delivered_at: expect.any(Date) });
});

test('a token that was made for something else, or changed, or of another installation is not found', async () => {
  const { org } = await newTextOrg(world());
  const { asked, delivery } = await sentText(world(), org, await org.person({ phone: '+447911123456' }));
  const message = { org: org.id, delivery };
  const other = keyring({ ROSTRUM_SECRET: 'another installation, another secret' });
  const tokens = [
    tokenFor(keyring(world().config), 'unsubscribe', message),
    tokenFor(other, 'receipt', message),
    tokenFor(keyring(world().config), 'receipt', message).replace(/.$/, (digit) =>
      digit === '0' ? '1' : '0',
    ),
    'x',
  ];
  for (const token of tokens) {
    const StatusCallback = `${publicUrl}/webhooks/twilio/status/${token}`;
    const { status } = await twilio.callBack({ ...asked, StatusCallback }, world().url, {
      MessageStatus: 'delivered',
    });
    expect(status).toBe(404);
  }
  expect(await deliveryOf(world(), delivery)).toMatchObject({ delivered_at: null });
});

test('what is no form, or too large a one, is refused', async () => {
  const json = await post('/webhooks/twilio/inbound', '{}', { 'content-type': 'application/json' });
  expect(json.status).toBe(415);
  const large = await post('/webhooks/twilio/inbound', `Body=${'x'.repeat(70_000)}`);
  expect(large.status).toBe(413);
  expect((await post('/webhooks/twilio/inbound', '')).status).toBe(403);
});

test('while the database cannot answer Twilio is told to come again', async () => {
  const away = await openWorld({ env: twilioSettings(twilio) });
  const { number } = await newTextOrg(away);
  const stop = () => twilio.deliver(publicUrl, away.url, { From: '+447911123456', To: number, Body: 'STOP' });
  await away.admin.query('revoke select on sms_numbers from rostrum_relay');
  await away.admin.query('revoke select (org_id, number) on sms_numbers from rostrum_relay');
  expect((await stop()).status).toBeGreaterThanOrEqual(500);
  await away.admin.query('grant select (org_id, number) on sms_numbers to rostrum_relay');
  expect((await stop()).status).toBe(200);
  await away.close();
});

test('an installation without Twilio has no such routes', async () => {
  const plain = await openWorld();
  for (const path of ['/webhooks/twilio/inbound', '/webhooks/twilio/status/x']) {
    const response = await fetch(plain.url + path, { method: 'POST' });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      404,
      'route_not_found',
    ]);
  }
  await plain.close();
});

describe('the signature', () => {
  const form = (text: string) => new URLSearchParams(text);

  test('is that of the example in the documentation of Twilio', () => {
    const fields = form(
      'CallSid=CA1234567890ABCDE&Caller=%2B14158675310&Digits=1234&From=%2B14158675310&To=%2B18005551212',
    );
    const url = 'https://example.com/myapp.php?foo=1&bar=2';
    expect(isSignedByTwilio('12345', 'L/OH5YylLD5NRKLltdqwSvS0BnU=', url, fields)).toBe(true);
    expect(isSignedByTwilio('12346', 'L/OH5YylLD5NRKLltdqwSvS0BnU=', url, fields)).toBe(false);
    fields.set('Digits', '1235');
    expect(isSignedByTwilio('12345', 'L/OH5YylLD5NRKLltdqwSvS0BnU=', url, fields)).toBe(false);
  });

  test('may be over the address with its port or without', () => {
    const url = 'https://example.com:8443/path?q=1';
    for (const signed of [url, 'https://example.com/path?q=1']) {
      expect(isSignedByTwilio('t', sign(`${signed}A1`, 't'), url, form('A=1'))).toBe(true);
    }
    expect(
      isSignedByTwilio('t', sign('https://example.com:443/A1', 't'), 'https://example.com/', form('A=1')),
    ).toBe(true);
  });

  test('takes fields by name, and each value of a field once', () => {
    const url = 'https://example.com/';
    const signature = sign(`${url}A1A2b3é`.replace('é', 'Cé'), 't');
    expect(isSignedByTwilio('t', signature, url, form('b=3&A=2&A=1&A=2&C=%C3%A9'))).toBe(false);
    expect(isSignedByTwilio('t', sign(`${url}A1A2Céb3`, 't'), url, form('b=3&A=2&A=1&A=2&C=%C3%A9'))).toBe(
      true,
    );
  });
});
