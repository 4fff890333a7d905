import type { HandOver } from '../outgoing.ts';
import type { SmtpError, Tried } from './smtp-line.ts';

type Failed = Extract<Tried, { error: unknown }>;

/** About the session rather than the message: out of order, or it wants us to authenticate first. */
const aboutSession = new Set([503, 530, 538]);

/** What one try means. Only a reply to the message or its envelope decides; who hung up has not answered. */
export function outcomeOf(tried: Tried): HandOver {
  if (!('error' in tried)) return { outcome: 'sent', reply: oneLine(tried.reply) };
  const { error, stage } = tried;
  const reply = oneLine(error.response || error.message);
  const status = stage === 'connecting' ? undefined : answerOf(error);
  if (status !== undefined) {
    return {
      outcome: status < 500 ? 'deferred' : 'refused',
      reply,
      code: enhancedCode(reply) ?? String(status),
    };
  }
  return { outcome: stage === 'message' ? 'uncertain' : 'unreached', reply };
}

/** Whether a kept connection was given up by the server before it heard of the message, which may go by another one. */
export const wasStale = (tried: Tried): boolean =>
  'error' in tried && tried.reused && tried.stage === 'envelope' && hungUp(tried);

const hungUp = ({ error }: Failed): boolean => error.responseCode === 421 || answerOf(error) === undefined;

/** The three digits of a reply that says no, for now or for good. */
function answerOf({ code, responseCode }: SmtpError): number | undefined {
  if (typeof responseCode !== 'number' || responseCode < 400 || responseCode > 599) return undefined;
  // Whatever comes with another code was cut off, or was said about something else. 421 is said at any time.
  const isReply = code === 'EENVELOPE' || code === 'EMESSAGE' || responseCode === 421;
  return isReply && !aboutSession.has(responseCode) ? responseCode : undefined;
}

const enhancedCode = (reply: string): string | undefined =>
  /^\d{3}[ -]\s*([245]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1];

/** Replies of several lines repeat their code; the first says which. */
const oneLine = (reply: string): string => reply.split(/\r?\n/).join(' ').slice(0, 500);
