import type { SmtpOptions } from '../domain/delivery/providers/smtp/smtp.ts';
import type { Config } from './config.ts';

/** The server that email is handed to, if there is one. */
export function smtpServer({
  SMTP_URL,
  SMTP_NAME,
  SMTP_CONNECTIONS,
  SMTP_DKIM,
}: Config): SmtpOptions | undefined {
  if (SMTP_URL === undefined) return undefined;
  const { protocol, hostname, port, username, password, searchParams } = new URL(SMTP_URL);
  const isTls = protocol === 'smtps:';
  const login =
    username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const startTls = (searchParams.get('tls') ??
    (login === undefined ? 'offered' : 'required')) as SmtpOptions['tls'];
  return {
    host: hostname.replaceAll(/[[\]]/g, ''), // as IPv6 is written in an address
    port: port === '' ? (isTls ? 465 : 587) : Number(port),
    tls: isTls ? 'always' : startTls,
    login,
    name: SMTP_NAME,
    connections: SMTP_CONNECTIONS,
    isSigned: SMTP_DKIM === 'ours',
  };
}
