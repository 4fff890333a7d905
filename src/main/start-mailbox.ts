import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { serveMailbox } from '../faces/mailbox/serve-mailbox.ts';
import { systemClock } from '../kernel/clock.ts';
import { ConfigError, type Config } from './config.ts';
import { keyring } from './keys.ts';
import { mailSettings } from './mail-settings.ts';
import { connect, type Running, type Watching } from './running.ts';

/** What comes back by mail: bounces, complaints, replies and unsubscribing. */
export async function startMailbox(
  config: Config,
  log: Logger,
  watching: Watching = {},
): Promise<Running & { port: number }> {
  const tls = await readCertificate(config);
  const { pool, database } = connect(config, log, watching);
  const mailbox = await serveMailbox({
    database,
    keys: keyring(config),
    mail: mailSettings(config),
    host: config.MAILBOX_HOST,
    port: config.MAILBOX_PORT,
    clock: systemClock,
    ...(tls !== undefined && { tls }),
    log: (level, fields, message) => log[level](fields, message),
  });
  log.info({ port: mailbox.port }, 'the mailbox listens');
  return {
    port: mailbox.port,
    close: async () => {
      await mailbox.close();
      await pool.end();
    },
  };
}

async function readCertificate(config: Config): Promise<{ cert: string; key: string } | undefined> {
  const { MAILBOX_TLS_CERT_FILE: cert, MAILBOX_TLS_KEY_FILE: key } = config;
  if (cert !== undefined && key !== undefined)
    return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
  if (cert === undefined && key === undefined) return undefined;
  throw new ConfigError('Set MAILBOX_TLS_CERT_FILE and MAILBOX_TLS_KEY_FILE both, or neither.');
}
