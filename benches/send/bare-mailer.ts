import nodemailer from 'nodemailer';
import { answerQuestions } from '../support/forked.ts';
import type { Pattern } from './pattern.ts';

// nodemailer by itself, with its own pool and its own signature: one message over and over, to another address each
// time. What differs from one recipient to the next in ours differs here: addresses, message id, unsubscribe link.

interface Setting {
  readonly port: number;
  readonly connections: number;
  readonly pattern: Pattern;
}

const inHand = 64;
let send: ((number: number) => Promise<unknown>) | undefined;
let running: Promise<unknown> = Promise.resolve();
let stopped = true;
let number = 0;

function open({ port, connections, pattern }: Setting): void {
  const { domain, selector, pem, signed } = pattern.dkim;
  const transport = nodemailer.createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    maxConnections: connections,
    maxMessages: 100,
    dkim: { domainName: domain, keySelector: selector, privateKey: pem, headerFieldNames: signed.join(':') },
  });
  const { from, replyTo, subject, html, text, headers } = pattern;
  send = (number) => {
    const token = String(number).padStart(59, '0');
    const to = `person.number.${number}@example.com`;
    return transport.sendMail({
      from,
      to,
      replyTo,
      subject,
      html,
      text,
      messageId: `<${token}@${domain}>`,
      envelope: { from: `b-${token}@bounce.${domain}`, to },
      headers: { ...headers, 'List-Unsubscribe': `<https://mail.example.test/u/${token}>` },
    });
  };
}

answerQuestions({
  open,
  go: () => {
    stopped = false;
    const worker = async (): Promise<void> => {
      while (!stopped) await send!(++number);
    };
    running = Promise.all(Array.from({ length: inHand }, worker));
  },
  rest: async () => {
    stopped = true;
    await running;
    return number;
  },
});
