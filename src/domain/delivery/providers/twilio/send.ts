import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { slots } from '../../../../kernel/slots.ts';
import type { HandOver, OutgoingText, TextProvider } from '../../outgoing/outgoing.ts';
import { readTwilioAnswer } from './answer.ts';

export interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** https://api.twilio.com or a compatible server. */
  readonly baseUrl: string;
  /** Where Twilio reaches this installation. */
  readonly publicUrl: string;
  /** What tells us in a callback which route it is about. */
  readonly query?: string;
  /** The time limit for one text, all waiting included. */
  readonly timeoutMs?: number;
  /** Unanswered texts allowed at a time. */
  readonly atOnce?: number;
}

const largestAnswer = 65_536;
export const twilioLimits = { atOnce: 50, giveUpMs: 15_000 };
// Shorter than Twilio keeps an idle connection: a text written into a closing connection is uncertain.
const idleMs = 4_000;

/** Twilio tries a callback once unless its URL says otherwise. The part after the # is neither sent nor signed. */
const tryAgain = '#rc=5&rp=all';

/**
 * Sends texts through Twilio's HTTP API. It has no idempotency key for messages, so a text that was written but not
 * answered is never sent again.
 */
export function twilioProvider(options: TwilioOptions): TextProvider {
  const { accountSid, authToken, publicUrl, query = '' } = options;
  const { timeoutMs = twilioLimits.giveUpMs, atOnce = twilioLimits.atOnce } = options;
  const url = messagesUrl(options);
  const isTls = url.protocol === 'https:';
  const settings = { keepAlive: true, maxSockets: atOnce, timeout: idleMs };
  const agent = isTls ? new HttpsAgent(settings) : new HttpAgent(settings);
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;

  const places = slots(atOnce);
  const underWay = new Set<Promise<HandOver>>();

  const post = ({ from, to, body, token, onLeaving }: OutgoingText, signal: AbortSignal): Promise<HandOver> =>
    new Promise((resolve) => {
      onLeaving?.();
      const form = new URLSearchParams({
        To: to,
        From: from,
        Body: body,
        StatusCallback: `${publicUrl}/webhooks/twilio/status/${token}${query}${tryAgain}`,
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
        signal.removeEventListener('abort', giveUp);
        resolve({ outcome: isWritten ? 'uncertain' : 'unreached', reply: why });
        request.destroy();
      };
      const giveUp = () => fail('no answer came in time');
      signal.addEventListener('abort', giveUp, { once: true });
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
          signal.removeEventListener('abort', giveUp);
          resolve(readTwilioAnswer(response.statusCode ?? 0, Buffer.concat(parts).toString()));
        };
        response.on('data', (part: Buffer) => {
          size += part.length;
          if (size <= largestAnswer) parts.push(part);
          else response.destroy();
        });
        response.on('end', answered);
        // A truncated response still counts: its status says what became of the text.
        response.on('close', answered);
        response.on('error', answered);
      });
      request.end(form);
    });

  /** Organizations share the connections: the agent alone would serve whoever came first. */
  async function send(message: OutgoingText): Promise<HandOver> {
    const signal = AbortSignal.timeout(timeoutMs);
    const patience = AbortSignal.timeout(timeoutMs / 2); // a place without time is useless
    if (!(await places.take(message.org, patience)))
      return { outcome: 'unreached', reply: 'no connection became free in time' };
    return post(message, signal).finally(() => places.free(message.org));
  }

  return {
    name: 'twilio',
    send: (message) => {
      const sending = send(message).finally(() => underWay.delete(sending));
      underWay.add(sending);
      return sending;
    },
    close: async () => {
      await Promise.all(underWay); // closing a connection in use would leave its text uncertain
      agent.destroy();
    },
  };
}

/** Texts and the password are never sent in the clear, except to a simulator on the same machine. */
function messagesUrl({ baseUrl, accountSid }: TwilioOptions): URL {
  const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, baseUrl);
  if (isPrivate(url.href)) return url;
  throw new Error('Twilio is spoken to over https only');
}

export function isPrivate(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}
