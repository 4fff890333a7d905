import type { MailSettings } from '../database/work.ts';
import { noReturnPathHost, type Config } from './config.ts';

/** What the mail of this installation goes through and points to. */
export const mailSettings = (config: Config): MailSettings => ({
  returnPathHost: config.MAIL_RETURN_PATH_HOST,
  inboundHost: config.MAIL_RETURN_PATH_HOST === noReturnPathHost ? undefined : config.MAIL_RETURN_PATH_HOST,
  publicUrl: config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`,
});
