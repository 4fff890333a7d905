import { expect, test } from 'vitest';
import type { Connector } from '../../src/domain/webinars/platforms/connector.ts';
import type { Platform, PlatformWebhook } from '../../src/domain/webinars/platforms/platform.ts';
import { everyPlatform, platforms } from '../../src/domain/webinars/platforms/registry.ts';
import { zoom } from '../../src/domain/webinars/platforms/zoom/zoom.ts';

type Registry = Readonly<Record<string, Platform>>;

// The compiler is the test: a line that compiled although a part is missing would be an error of its own.
const lacking = <Whole, Part extends keyof Whole>(whole: Whole, _part: Part): Omit<Whole, Part> => whole;
export const forgotten: Registry[] = [
  { whole: zoom },
  // @ts-expect-error a platform has a label
  { forgetful: lacking(zoom, 'label') },
  // @ts-expect-error a platform says where it is
  { forgetful: lacking(zoom, 'settings') },
  // @ts-expect-error a platform says what opens an account
  { forgetful: lacking(zoom, 'credentials') },
  // @ts-expect-error a platform says how a link refers to an event
  { forgetful: lacking(zoom, 'event') },
  // @ts-expect-error a platform has limits
  { forgetful: lacking(zoom, 'limits') },
  // @ts-expect-error a platform is spoken to
  { forgetful: lacking(zoom, 'connect') },
  // @ts-expect-error a platform is listened to, or says that it is not
  { forgetful: lacking(zoom, 'webhook') },
];

const whole = zoom.connect({ ZOOM_API_URL: 'https://api.zoom.us', ZOOM_OAUTH_URL: 'https://zoom.us' });
const webhook = zoom.webhook as PlatformWebhook;
const accountField = zoom.credentials.account_id;
export const parts: [Connector[], Platform['webhook'][], Platform<'client_id'>['credentials'][]] = [
  [
    whole,
    // @ts-expect-error registrants are pushed
    lacking(whole, 'pushRegistrant'),
    // @ts-expect-error attendance is read
    lacking(whole, 'participantsReport'),
    // @ts-expect-error what a platform answers is one of the outcomes of the port
    { ...whole, pushRegistrant: async () => ({ status: 'well' }) },
  ],
  [
    // @ts-expect-error a webhook is checked
    lacking(webhook, 'isSigned'),
    // @ts-expect-error a webhook is read
    lacking(webhook, 'read'),
  ],
  [
    // @ts-expect-error an account has a name
    { client_id: accountField },
  ],
];

test('every platform tells a form what to ask for, hides its secrets and shows which account it is', () => {
  for (const [, { credentials, label }] of everyPlatform) {
    const fields = Object.entries(credentials);
    expect(credentials.account_id).toMatchObject({ secret: false, kind: 'text' });
    expect(fields.some(([, { secret }]) => secret)).toBe(true);
    for (const [, field] of fields) {
      expect(field.kind).toBe(field.secret ? 'password' : 'text');
      expect(field.label).not.toBe('');
    }
    expect(label).not.toBe('');
  }
});

test('no setting of a platform is one of another', () => {
  const settings = everyPlatform.flatMap(([, { settings: own }]) => Object.keys(own));
  expect(new Set(settings).size).toBe(settings.length);
});

test.each([
  ['zoom', ' 812 3456-7890', '81234567890'],
  ['zoom', '5620084814059709442', undefined],
  ['goto', '5620084814059709442', '5620084814059709442'],
  ['goto', '562-008-481', undefined],
  ['goto', '../5620084814059709442', undefined],
] as const)('%s reads the event %j as %j', (name, text, event) => {
  expect(platforms[name].event.schema.safeParse(text).data).toBe(event);
});
