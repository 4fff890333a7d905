import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { HandOver, OutgoingText, TextProvider } from '../outgoing.ts';
import { readTwilioAnswer } from './twilio-answer.ts';

export interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** https://api.twilio.com, or whoever speaks like it. */
  readonly baseUrl: string;
  /** Where Twilio reaches this installation. */
  readonly publicUrl: string;
  /** A text is given up on after so long, whatever it waits for. */
  readonly timeoutMs?: number;
}

const largestAnswer = 65_536;
const mostConnections = 50;
// Shorter than their side keeps an idle connection: a text written into one that is just being closed is uncertain.
const idleMs = 4_000;

/** Twilio tries a callback once unless its address says otherwise. What stands behind the # is not sent, nor signed. */
const tryAgain = '#rc=5&rp=all';

/**
 * Texts through Twilio's HTTP interface. It has no idempotency key for messages, so one that was written and not
 * answered is never written again.
 */
export function twilioProvider(options: TwilioOptions): TextProvider {
  const { accountSid, authToken, publicUrl, timeoutMs = 15_000 } = options;
  const url = messagesUrl(options);
  const isTls = url.protocol === 'https:';
  const settings = { keepAlive: true, maxSockets: mostConnections, timeout: idleMs };
  const agent = isTls ? new HttpsAgent(settings) : new HttpAgent(settings);
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;

  const send = ({ from, to, body, token }: OutgoingText): Promise<HandOver> =>
    new Promise((resolve) => {
      const form = new URLSearchParams({
        To: to,
        From: from,
        Body: body,
        StatusCallback: `${publicUrl}/webhooks/twilio/status/${token}${tryAgain}`,
      }).toString();
      const headers = {
        authorization,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(form),
      };
      // Redirects are not followed: the text and the password go to one address alone.
      const request = (isTls ? requestHttps : requestHttp)(url, { method: 'POST', agent, headers });
      let isWritten = false;
      const fail = (why: string) => {
        clearTimeout(timer);
        resolve({ outcome: isWritten ? 'uncertain' : 'unreached', reply: why });
        request.destroy();
      };
      const timer = setTimeout(() => fail('no answer came in time'), timeoutMs);
      request.on('socket', (socket) => {
        const connected = () => (isWritten = true);
        if (request.reusedSocket || !socket.connecting) connected();
        else socket.once(isTls ? 'secureConnect' : 'connect', connected);
      });
      request.on('error', (error: Error & { code?: string }) => fail(error.code ?? error.name));
      request.on('response', (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        const answered = () => {
          clearTimeout(timer);
          resolve(readTwilioAnswer(response.statusCode ?? 0, Buffer.concat(parts).toString()));
        };
        response.on('data', (part: Buffer) => {
          size += part.length;
          if (size <= largestAnswer) parts.push(part);
          else response.destroy();
        });
        response.on('end', answered);
        // The status alone says what became of it.
        response.on('close', answered);
        response.on('error', answered);
      });
      request.end(form);
    });
  return { name: 'twilio', send, close: async () => agent.destroy() };
}

/** The texts and the password do not travel in clear, but for a simulator on the same machine. */
function messagesUrl({ baseUrl, accountSid }: TwilioOptions): URL {
  const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, baseUrl);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) return url;
  throw new Error('Twilio is spoken to over https only');
}
