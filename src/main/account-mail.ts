import type { Transporter } from 'nodemailer';
import type { Letter } from '../database/work.ts';
import { fewAtOnce } from '../kernel/few-at-once.ts';
import type { Config } from './config.ts';
import { mailSettings } from './mail-settings.ts';
import { smtpServer } from './smtp-server.ts';

class NoMailServer extends Error {
  override readonly name = 'NoMailServer';
}

const patienceMs = 20_000;

/** Sends mail about accounts through the server that all email goes through; without one, `print` gets it if there is. */
export function accountMail(
  config: Config,
  print?: (text: string) => void,
): (letter: Letter) => Promise<void> {
  const server = smtpServer(config);
  const from =
    config.ACCOUNT_MAIL_FROM ?? `Rostrum <no-reply@${new URL(mailSettings(config).publicUrl).hostname}>`;
  if (server === undefined)
    return async ({ to, subject, text }) => {
      if (print === undefined) throw new NoMailServer('SMTP_URL is not set');
      print(`\nMail to ${to}: ${subject}\n\n${text}`);
    };
  const { host, port, tls, login, name } = server;
  const settings = {
    host,
    port,
    secure: tls === 'always',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(name !== undefined && { name }),
    ...(login !== undefined && { auth: login }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  let transport: Promise<Transporter> | undefined;
  return async ({ to, subject, text }) => {
    // Mail about accounts is rare, and the library is only for it.
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport(settings));
    await (
      await transport
    ).sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  };
}

const atOnce = 4;

export interface LetterBox {
  readonly send: (letter: Letter) => void;
  /** Waits for those that are on their way. */
  empty(): Promise<void>;
}

/** Sends mail while the answer is on its way already. */
export function letterBox(
  send: (letter: Letter) => Promise<void>,
  onTrouble: (error: unknown) => void,
): LetterBox {
  const under = new Set<Promise<void>>();
  const inTurn = fewAtOnce(atOnce, () => new Error('too much mail at once'));
  return {
    send: (letter) => {
      const running = inTurn(() => send(letter))
        .catch(onTrouble)
        .finally(() => under.delete(running));
      under.add(running);
    },
    empty: async () => {
      await Promise.all(under);
    },
  };
}
