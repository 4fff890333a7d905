/** Of a first meeting: the same message is taken in some minutes, and other messages are no better later. */
const greylisted = /gr[ae]y[ -]?list|postgrey|\bcome back (later|in)\b/i;
/** Of one mailbox that is full or gets too much: says nothing about its neighbours. */
const aboutMailbox = /^4\.[12]\./;
const lessPlease =
  /temporarily deferred|rate[ -]?limit|too many|too (fast|quickly)|throttl|slow(ing)? down|unusual rate|exceeded the (rate|maximum)|(sending|connection|message) rate|\bRP-\d|\[TSS?\d|server busy/i;

/** Whether a deferral means that all of the domain should get less for a while. */
export function asksForLess(code: string | undefined, reply: string): boolean {
  if (greylisted.test(reply) || aboutMailbox.test(code ?? '')) return false;
  return code?.startsWith('4.7.') === true || lessPlease.test(reply);
}
