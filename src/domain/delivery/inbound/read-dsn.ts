import type { Inbound } from './read-inbound.ts';
import { readFields } from './read-inbound.ts';

/** A mail server's report on a message it had to deliver. */
export interface Report {
  readonly action: 'failed' | 'delayed' | 'delivered';
  /** The recipients it is about, in lower case: several where one address forwards to another. */
  readonly recipients: readonly string[];
  readonly code?: string;
  readonly reply?: string;
}

const actions: Readonly<Record<string, Report['action']>> = {
  failed: 'failed',
  delayed: 'delayed',
  delivered: 'delivered',
  relayed: 'delivered', // to a server that reports no more
};

const mostGroups = 50;
const longestReply = 1_000;

/** Reads a report by RFC 3464, or the prose of servers without it. Undefined when it is no report. */
export function readDsn(inbound: Inbound): Report | undefined {
  const status = inbound.parts.find(({ type }) => /^message\/(global-)?delivery-status$/.test(type));
  return status === undefined ? readWords(inbound) : readStatus(status.text);
}

/**
 * Every message has one recipient and its own return path, so several groups come from an alias that the receiving side
 * expanded. If one of its targets took the message, the address is good.
 */
function readStatus(text: string): Report | undefined {
  const reports = text
    .split(/\r?\n[ \t]*\r?\n/, mostGroups)
    .map((group) => readGroup(readFields(group)))
    .filter((report) => report !== undefined);
  const first = (action: Report['action']) => reports.find((report) => report.action === action);
  const telling = first('delivered') ?? first('failed') ?? first('delayed');
  return telling && { ...telling, recipients: reports.flatMap(({ recipients }) => recipients) };
}

function readGroup(fields: ReadonlyMap<string, string>): Report | undefined {
  const action = actions[/^\w+/.exec(fields.get('action') ?? '')?.[0]?.toLowerCase() ?? ''];
  if (action === undefined) return undefined;
  const code = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0];
  // "smtp; 550 …", "X-Postfix; …": the type before the semicolon is not part of the reply. Exim sometimes omits the
  // field.
  const reply = fields
    .get('diagnostic-code')
    ?.replace(/^[\w.-]+\s*;\s*/, '')
    .slice(0, longestReply);
  const recipients = ['original-recipient', 'final-recipient'].flatMap((name) =>
    recipientOf(fields.get(name)),
  );
  return { action, recipients, ...(code !== undefined && { code }), ...(reply !== undefined && { reply }) };
}

/** "rfc822; ann+40example.com": the address type, then the address, in which +40 may encode a character. */
function recipientOf(field: string | undefined): string[] {
  const address = field?.replace(/^[\w-]+\s*;\s*/, '').replace(/^<|>$/g, '') ?? '';
  if (address === '') return [];
  const plain = address.replace(/\+([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return [...new Set([address.toLowerCase(), plain.toLowerCase()])];
}

const bounceWords =
  /this is the qmail-send program|created automatically by mail delivery software|could not be delivered|undeliver(able|ed)|delivery (to the following|has failed)|returned mail/i;
const originalBelow =
  /^-{2,10}.{0,100}(copy of the message|original message|undelivered message|message headers)/im;
// Every quantifier is bounded: these patterns read untrusted text.
const longestProse = 16 * 1024;
const anAddress = /[^\s<>"'(),;:@]{1,64}@[^\s<>"'(),;:@]{1,255}/g;
const mostAddresses = 50;
const enhanced = /(?<![\d.])((?:[45]\d\d[ -])?#?([45]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)[^\r\n]{0,500})/;
const said =
  /(?:said|error[^:\r\n]{0,200}|response(?: was)?):(?:[^\r\n]{0,300}\r?\n)??[^\r\n]{0,300}?(?<!\d)(([45]\d\d)[ -][^\r\n]{0,500})/i;

/**
 * qmail and old Exim report in prose. It is believed only if it reads like theirs, is not an automatic reply of a
 * person's mailbox, and gives a status, as an enhanced code or as a quoted server reply.
 */
function readWords({ header, text }: Inbound): Report | undefined {
  const auto = header('auto-submitted').join().toLowerCase();
  if (auto.startsWith('auto-replied') || header('x-autoreply').length > 0) return undefined;
  const [prose = ''] = text.slice(0, longestProse).split(originalBelow, 1);
  if (!bounceWords.test(`${header('subject')[0] ?? ''}\n${prose}`)) return undefined;
  const found = enhanced.exec(prose) ?? said.exec(prose);
  if (found === null) return undefined;
  const [, reply = '', code = ''] = found;
  const recipients = [...prose.matchAll(anAddress)].slice(0, mostAddresses).map(([one]) => one.toLowerCase());
  const action = code.startsWith('4') && !/permanent/i.test(prose) ? 'delayed' : 'failed';
  return { action, recipients, code, reply };
}
