import type { HandOver } from '../../outgoing/outgoing.ts';
import type { SmtpError, Tried } from './line.ts';

type Failed = Extract<Tried, { error: unknown }>;

/** Replies about the session rather than the message: commands out of order, or authentication required first. */
const aboutSession = new Set([503, 530, 538]);

/** The outcome of one try. Only a reply to the message or its envelope decides; a closed connection is no answer. */
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

/** Whether the server closed a kept connection before it saw the message, which may then use another. */
export const wasStale = (tried: Tried): boolean =>
  'error' in tried && tried.reused && tried.stage === 'envelope' && hungUp(tried);

const hungUp = ({ error }: Failed): boolean => error.responseCode === 421 || answerOf(error) === undefined;

/** The reply code of a temporary or permanent rejection. */
function answerOf({ responseCode }: SmtpError): number | undefined {
  if (responseCode === undefined || responseCode < 400 || responseCode > 599) return undefined;
  return aboutSession.has(responseCode) ? undefined : responseCode;
}

const enhancedCode = (reply: string): string | undefined =>
  /^\d{3}[ -]\s*([245]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1];

/** Joins the lines of a reply. Each repeats the code; the first one is read. */
const oneLine = (reply: string): string => reply.split(/\r?\n/).join(' ').slice(0, 500);
