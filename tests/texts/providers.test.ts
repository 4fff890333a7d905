import { expect, test } from 'vitest';
import { textProviders } from '../../src/domain/delivery/providers/text-providers.ts';
import { twilio } from '../../src/domain/delivery/providers/twilio/twilio.ts';
import type { TextProviderKind, TextWayBack } from '../../src/domain/delivery/outgoing/text-provider.ts';

type Registry = Readonly<Record<string, TextProviderKind>>;

// The compiler is the test: a line that compiled although a part is missing would be an error of its own.
const without = <Part extends keyof typeof twilio>(_part: Part): Omit<typeof twilio, Part> => twilio;
export const forgotten: Registry[] = [
  { whole: twilio },
  // @ts-expect-error a provider has a label
  { forgetful: without('label') },
  // @ts-expect-error a provider says which settings it needs
  { forgetful: without('settings') },
  // @ts-expect-error a provider has limits
  { forgetful: without('limits') },
  // @ts-expect-error a provider sends
  { forgetful: without('open') },
  // @ts-expect-error a provider says how it is heard
  { forgetful: without('hears') },
];

const text = { path: '/webhooks/a/b', operation: 'a_b', about: 'text', answer: { status: 200 } } as const;
const words = { from: '', to: '', body: '' };
const signed = { takes: 'application/json', unsigned: 'No.', isSigned: () => true };
export const ways: TextWayBack[] = [
  { by: 'connection' },
  { by: 'webhook', ...signed, routes: [{ ...text, read: () => words }] },
  // @ts-expect-error what comes by webhook is checked
  { by: 'webhook', takes: 'application/json', unsigned: 'No.', routes: [] },
  // @ts-expect-error what comes by webhook is read
  { by: 'webhook', ...signed, routes: [text] },
  // @ts-expect-error an inbound text is no receipt
  { by: 'webhook', ...signed, routes: [{ ...text, read: () => ({ outcome: 'delivered' }) }] },
];

const kinds: readonly (readonly [string, TextProviderKind])[] = Object.entries(textProviders);

test.each(kinds)('%s gives a text up before whoever holds its recipient is given up on', (_, { limits }) => {
  expect(limits.giveUpMs).toBeLessThan(30_000);
  expect(limits.atOnce).toBeGreaterThan(0);
});

test.each(kinds)('%s has settings that say what they are for, and no address of another', (name, kind) => {
  for (const [setting, schema] of Object.entries(kind.settings)) {
    expect(setting.toLowerCase().startsWith(name)).toBe(true);
    expect(schema.description).toEqual(expect.any(String));
  }
  const routes = kind.hears.by === 'webhook' ? kind.hears.routes : [];
  for (const { path, about } of routes) {
    expect(path.startsWith(`/webhooks/${name}/`)).toBe(true);
    expect(path.includes('/:token')).toBe(about === 'receipt');
  }
});
