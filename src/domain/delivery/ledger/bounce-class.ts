/**
 * What a refusal means. `hard`: the mailbox does not exist, so it is never written to again. `soft`: temporary, or
 * unclear. `policy`: the server refused this sender, so it never counts against the person.
 */
export type BounceClass = 'hard' | 'soft' | 'policy';

export interface Refusal {
  /** An enhanced status code (5.1.1) or an SMTP reply code (550). */
  readonly code?: string | undefined;
  /** The other side's reply, verbatim. */
  readonly reply?: string | undefined;
}

// No mailbox, no domain, a domain that takes no mail, a mailbox that was closed.
const hard = new Set('1.1 1.2 1.3 1.4 1.6 1.10 2.1 7.13 7.17 7.18'.split(' '));
// The sender address (1.7, 1.8) and the content (6.x) are ours to fix, as is every 7.x that is not hard.
const policy = /^(1\.[78]|[67]\.\d+)$/;

const anyOf = (...phrases: readonly string[]): RegExp => new RegExp(phrases.join('|'), 'i');

// Gmail answers 5.2.1 both for a closed account and for one that gets too much at the moment.
const tooMuch = anyOf(
  'at a rate that',
  'too (many|much)',
  'over ?quota',
  'quota exceeded',
  'mailbox (is )?full',
);
const ofUs = anyOf(
  'spam|unsolicited|suspicious|banned|reputation|polic(y|ies)|authenticat',
  '\\b(spf|dkim|dmarc|rbl|dnsbl)\\b',
  'block(ed|list)|(black|deny) ?list',
  'not (allowed|accepted) from|your (ip|host|domain|server)',
);
const nobody = anyOf(
  '\\b(user|recipient|mailbox|address|account)( name| address)?( is| was)? (unknown|invalid|not (found|known))',
  '\\b(user|recipient|mailbox|address|account) (does ?n.?o?t|no longer) exists?',
  '\\b(no such|unknown|invalid|non-?existent) (local )?(user|recipient|mailbox|address|account)',
  "no mailbox here by that name|doesn'?t have an? \\S+ account",
);

/**
 * An unknown status is never hard: an address given up by mistake is lost silently, while a dead address that is kept
 * bounces again and is given up then.
 */
export function bounceClass({ code = '', reply = '' }: Refusal): BounceClass {
  const status = statusOf(code) ?? statusOf(reply);
  const smtp = [code, reply].map((text) => /^\s*(?:smtp;\s*)?([245])\d\d\b/i.exec(text)?.[1]);
  if (smtp.includes('4') || status?.of === '4') return 'soft';
  if (status !== undefined) {
    if (hard.has(status.detail)) return tooMuch.test(reply) ? 'soft' : 'hard';
    return policy.test(status.detail) ? 'policy' : 'soft';
  }
  // Servers without enhanced codes explain in words. A reply about the sender is not about the mailbox, even if it
  // names one.
  if (!smtp.includes('5') || tooMuch.test(reply)) return 'soft';
  if (ofUs.test(reply)) return 'policy';
  return nobody.test(reply) ? 'hard' : 'soft';
}

/** The first meaningful enhanced status: mail servers send x.0.0 for "see the text". */
function statusOf(text: string): { of: string; detail: string } | undefined {
  const every = text.matchAll(/(?<![\d.])([45])\.(\d{1,3})\.(\d{1,3})(?!\d|\.\d)/g);
  for (const [, of = '', subject = '', detail = ''] of every) {
    if (subject !== '0' || detail !== '0') return { of, detail: `${Number(subject)}.${Number(detail)}` };
  }
  return undefined;
}
