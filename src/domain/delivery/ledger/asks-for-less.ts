/**
 * Greylisting at first contact: the same message is accepted minutes later, and slowing down helps no other message.
 */
const greylisted = /gr[ae]y[ -]?list|postgrey|\bcome back (later|in)\b/i;
/** About one mailbox that is full or gets too much mail: says nothing about the rest of the domain. */
const aboutMailbox = /^4\.[12]\./;
/** About how much comes, or over how many connections. */
const aboutRate =
  /temporarily deferred|rate[ -]?limit|too many|too (fast|quickly)|throttl|slow(ing)? down|unusual rate|exceeded the (rate|maximum)|(sending|connection|message) rate|\bRP-\d|\[TSS?\d|server busy/i;
/** About what the organization signs, links to or writes. Gmail names the domain of a signature beside a rate. */
const aboutSender =
  /\b(spf|dkim|dmarc|url|sender|from header)\b|authenticat|(sending|your|from) domain|suspicious|content|looks like spam/i;
/** About the address that mail comes from, which all organizations share: its reputation, its name in DNS, TLS. */
const aboutAddress = /\bip\b|\[?\b\d{1,3}(\.\d{1,3}){3}\b|\bptr\b|reverse dns|\btls\b|connection/i;

/**
 * Who should send less to all of the domain for a while, after a deferral: the whole installation, or the organization
 * alone. Undefined: nobody.
 */
export function asksForLess(
  code: string | undefined,
  reply: string,
): 'installation' | 'organization' | undefined {
  if (greylisted.test(reply) || aboutMailbox.test(code ?? '')) return undefined;
  const isRate = aboutRate.test(reply);
  if (!isRate && code?.startsWith('4.7.') !== true) return undefined;
  if (aboutSender.test(reply)) return 'organization';
  return isRate || aboutAddress.test(reply) ? 'installation' : 'organization';
}
