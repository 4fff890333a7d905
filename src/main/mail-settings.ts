import type { MailSettings } from '../database/work.ts';
import type { Config } from './config.ts';

/** What the mail of this installation goes through and points to. */
export const mailSettings = (config: Config): MailSettings => ({
  returnPathHost: config.MAIL_RETURN_PATH_HOST,
  publicUrl: config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`,
});
