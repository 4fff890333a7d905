import { z } from 'zod';
import type { TextProviderKind } from '../outgoing/text-provider.ts';
import { smpp } from './smpp/smpp.ts';
import { twilio } from './twilio/twilio.ts';

/** Every provider of texts, by the name that selects it. A provider that lacks a part does not compile. */
export const textProviders = { twilio, smpp } as const satisfies Readonly<Record<string, TextProviderKind>>;

type Named = typeof textProviders;
export type TextProviderName = keyof Named;
const names = Object.keys(textProviders) as TextProviderName[];

export const textProviderOf = (name: TextProviderName): TextProviderKind => textProviders[name];

export const ChosenTextProvider = z
  .enum(['none', ...names])
  .default('none')
  .describe('What texts go through. Each asks for settings of its own.');

/** The settings of all providers, as the configuration reads them. */
export const textProviderSettings = Object.assign(
  {},
  ...names.map((name) => textProviders[name].settings),
) as Readonly<
  Record<
    { [Name in TextProviderName]: keyof Named[Name]['settings'] }[TextProviderName],
    z.ZodType<string | undefined, string | undefined>
  >
>;
