import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `always`: from the first byte. `required`: by STARTTLS. `offered`: by STARTTLS if the server has it. */
  readonly tls: 'always' | 'required' | 'offered' | 'off';
  readonly login?: { readonly user: string; readonly pass: string } | undefined;
  /** The name in our greeting; by default that of this machine. */
  readonly name?: string | undefined;
}

export interface Message {
  readonly org: string;
  readonly isFew?: boolean | undefined;
  readonly from: string;
  readonly to: string;
  readonly data: Buffer;
}

/** The result of one try: the server's reply to the whole message, or the error and the stage it came at. */
export type Tried =
  | { readonly reply: string }
  | {
      readonly error: SmtpError;
      /** `message`: at least one byte of it may have been sent. At earlier stages none was. */
      readonly stage: 'connecting' | 'envelope' | 'message';
      /** The connection had been used before and may have gone stale. */
      readonly reused: boolean;
    };

export interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
}

const connectMs = 8_000; // all of it: looking up the name, connecting, the greeting, TLS
const silenceMs = 15_000;
const resetMs = 5_000;

/** One connection. */
export interface Line {
  readonly connection: SMTPConnection;
  readonly ended: Promise<void>;
  messages: number;
  isOpen: boolean;
}

export const openLine = ({ host, port, tls, login, name }: SmtpServer, signal: AbortSignal): Promise<Line> =>
  new Promise((resolve, reject) => {
    const connection = new SMTPConnection({
      host,
      port,
      name,
      secure: tls === 'always',
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'off',
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silenceMs,
    });
    const ended = new Promise<void>((settle) => {
      connection.once('end', settle);
    });
    const line: Line = { connection, ended, messages: 0, isOpen: true };
    const stop = () => connection.close();
    const done = (error?: Error | null) => {
      signal.removeEventListener('abort', stop);
      if (error == null) return resolve(line);
      reject(error);
      connection.close();
    };
    signal.addEventListener('abort', stop, { once: true });
    connection.on('error', done); // once it is open, `send` reports errors itself
    connection.once('end', () => {
      line.isOpen = false;
      done(new Error(signal.aborted ? 'no connection in time' : 'the server hung up'));
    });
    connection.connect((error) => {
      if (error == null && login !== undefined && connection.allowsAuth)
        connection.login({ ...login }, (refused) => done(refused));
      else done(error);
    });
  });

/** Hands one message over. An abort closes the connection, so that nothing is sent later. */
export const sendOver = (line: Line, { from, to, data }: Message, signal: AbortSignal): Promise<Tried> =>
  new Promise((resolve) => {
    const reused = line.messages++ > 0;
    let stage: 'envelope' | 'message' = 'envelope';
    // The stream is first read when the server has asked for the message.
    const content = new Readable({
      read() {
        stage = 'message';
        this.push(data);
        this.push(null);
      },
    });
    const stop = () => {
      line.connection.close();
      resolve({ error: new Error('no answer in time'), stage, reused: false });
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    line.connection.send({ from, to }, content, (error, info) => {
      signal.removeEventListener('abort', stop);
      resolve(error == null ? { reply: info.response } : { error: error as SmtpError, stage, reused });
    });
  });

/** Makes a connection whose message was refused fit for the next. */
export async function resets({ connection, ended }: Line): Promise<boolean> {
  const late = setTimeout(() => connection.close(), resetMs);
  const isReset = await Promise.race([
    ended.then(() => false),
    new Promise<boolean>((resolve) => connection.reset((error) => resolve(error == null))),
  ]);
  clearTimeout(late);
  if (!isReset) connection.close();
  return isReset;
}
