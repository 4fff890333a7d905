import { generateKeyPairSync } from 'node:crypto';
import { newId, type OrgId } from '../../src/kernel/ids.ts';
import type { OutgoingEmail } from '../../src/domain/delivery/outgoing/outgoing.ts';
import { smtpProvider, type SmtpOptions } from '../../src/domain/delivery/providers/smtp/smtp.ts';

export const { privateKey: signingKey, publicKey: verifyingKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
});

let made = 0;

/** An email like those of a broadcast. */
export const anEmail = (more: Partial<OutgoingEmail> = {}): OutgoingEmail => ({
  org: newId(new Date(0)) as OrgId,
  from: 'News <news@acme.test>',
  replyTo: 'answers@acme.test',
  to: 'ok@mbox.test',
  returnPath: 'b-token@bounce.acme.test',
  messageId: `message-${++made}@acme.test`,
  subject: 'A subject',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: {
    'List-Unsubscribe': '<https://rostrum.test/u/token>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-ID': '<broadcasts.acme.test>',
    'Feedback-ID': 'b:o:broadcast:rostrum',
  },
  dkim: { domain: 'acme.test', selector: 'r1', key: signingKey },
  ...more,
});

export const providerTo = (port: number, more: Partial<SmtpOptions> = {}) =>
  smtpProvider({ host: '127.0.0.1', port, tls: 'offered', connections: 10, ...more });
