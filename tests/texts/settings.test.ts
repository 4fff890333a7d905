import { expect, test } from 'vitest';
import { readConfig } from '../../src/main/config.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { textSettings } from '../../src/main/text-settings.ts';

const read = (more: Record<string, string>) =>
  textSettings(readConfig({ ROSTRUM_SECRET: 'x'.repeat(32), ...more }));

const twilio = {
  SMS_PROVIDER: 'twilio',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'a token of some length',
  PUBLIC_URL: 'https://rostrum.example/',
};

test('texts go through nothing unless something is set up', () => {
  expect(read({})).toBeUndefined();
  expect(read({ ...twilio, SMS_PROVIDER: 'none' })).toBeUndefined();
});

test('Twilio is asked at its own address, and told ours without a slash at the end', () => {
  expect(read(twilio)).toMatchObject({
    through: 'twilio',
    settings: {
      TWILIO_ACCOUNT_SID: twilio.TWILIO_ACCOUNT_SID,
      TWILIO_AUTH_TOKEN: twilio.TWILIO_AUTH_TOKEN,
      TWILIO_BASE_URL: 'https://api.twilio.com',
    },
  });
  expect(mailSettings(readConfig({ ROSTRUM_SECRET: 'x'.repeat(32), ...twilio })).publicUrl).toBe(
    'https://rostrum.example',
  );
});

test.each(['smpp://id:p%40ss@smsc.example:2775', 'ssmpp://id:pw@192.0.2.1', 'smpp://id:@[2001:db8::1]:2775'])(
  'an SMSC is at %s',
  (SMPP_URL) => {
    expect(read({ SMS_PROVIDER: 'smpp', SMPP_URL })).toMatchObject({
      through: 'smpp',
      settings: { SMPP_URL },
    });
    expect(() => new URL(SMPP_URL)).not.toThrow();
  },
);

test('what is missing is named, all of it, and never quoted', () => {
  expect(() => read({ SMS_PROVIDER: 'smpp' })).toThrow('SMS_PROVIDER is smpp, but SMPP_URL is not set.');
  expect(() => read({ ...twilio, TWILIO_ACCOUNT_SID: '', PUBLIC_URL: '' })).toThrow(
    'SMS_PROVIDER is twilio, but TWILIO_ACCOUNT_SID and PUBLIC_URL are not set.',
  );
});

test.each([
  ['SMS_PROVIDER', 'carrier pigeon'],
  ['TWILIO_ACCOUNT_SID', 'SK123'],
  ['TWILIO_AUTH_TOKEN', 'short'],
  ['TWILIO_BASE_URL', 'ftp://api.twilio.com'],
  ['SMPP_URL', 'http://id:pw@smsc.example'],
  ['SMPP_URL', 'smpp://smsc.example:2775'],
  ['SMPP_URL', 'smpp://id:pw@smsc.example:2775/path'],
  ['SMPP_URL', 'smpp://id:p@ss@smsc.example:2775'],
])('%s may not be %j', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(`^The configuration is not right:\\n  ${name} `));
});
