const address = /(?:"[^"\n]*"|[^\s<>"'(),;:[\]]+)(?:@|%40)[^\s<>"'(),;:[\]]+/giu;
// With a plus, in groups as numbers are written, or seven digits on end: codes such as 550 5.1.1 are none of these.
const phone = /\+\d[\d ().-]{4,}\d|\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b|\b\d{7,}\b/gu;

/** A server's reply without the addresses and numbers it may contain: readers need not know them. */
export function maskReply(reply: string, sentTo: string | null): string {
  const masked = reply.replace(address, '[address]').replace(phone, '[number]');
  const mailbox = sentTo?.split('@')[0] ?? '';
  // Servers also name the mailbox alone: "user ann unknown".
  return mailbox.length < 2 ? masked : masked.replace(asWord(mailbox), '[mailbox]');
}

const asWord = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(text)}(?![\\p{L}\\p{N}])`, 'giu');
