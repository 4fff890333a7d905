import type { TextProvider } from '../domain/delivery/outgoing.ts';
import { smppProvider, type SmppOptions } from '../domain/delivery/providers/smpp.ts';
import { twilioProvider, type TwilioOptions } from '../domain/delivery/providers/twilio.ts';
import { ConfigError, type Config } from './config.ts';

export type TextSettings =
  | { readonly through: 'nothing' }
  | ({ readonly through: 'twilio' } & Omit<TwilioOptions, 'timeoutMs'>)
  | { readonly through: 'smpp'; readonly url: string };

/** What texts go through. Settings that belong together must all be there. */
export function textSettings(config: Config): TextSettings {
  const { SMS_PROVIDER, TWILIO_BASE_URL: baseUrl } = config;
  if (SMS_PROVIDER === 'none') return { through: 'nothing' };
  if (SMS_PROVIDER === 'smpp') {
    const { SMPP_URL } = required(config, 'SMPP_URL');
    return { through: 'smpp', url: SMPP_URL };
  }
  const names = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'PUBLIC_URL'] as const;
  const {
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: authToken,
    PUBLIC_URL: publicUrl,
  } = required(config, ...names);
  return { through: 'twilio', accountSid, authToken, publicUrl, baseUrl };
}

function required<const Name extends 'SMPP_URL' | 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'PUBLIC_URL'>(
  config: Config,
  ...names: readonly Name[]
): Record<Name, string> {
  const missing = names.filter((name) => config[name] === undefined);
  if (missing.length === 0) return config as Record<Name, string>;
  const verb = missing.length === 1 ? 'is' : 'are';
  throw new ConfigError(
    `SMS_PROVIDER is ${config.SMS_PROVIDER}, but ${missing.join(' and ')} ${verb} not set.`,
  );
}

/** What hears of texts over a line that stays open; Twilio calls the API instead. */
export type TextHearing = Pick<SmppOptions, 'onReceipt' | 'onText' | 'onTrouble'>;

export function openTexts(config: Config, hearing: TextHearing): TextProvider | undefined {
  const settings = textSettings(config);
  if (settings.through === 'twilio') return twilioProvider(settings);
  if (settings.through === 'smpp') return smppProvider({ url: settings.url, ...hearing });
  return undefined;
}
