const longest = 500;
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?(\/[^#]*)?$/;

/**
 * Whether an answer may go to an address at all: over TLS, or to a program on the user's own computer. What the protocol
 * does not allow, schemes of apps among it, is no address, nor is one that browsers would read as another than it shows.
 */
export function isRedirectUri(text: string): boolean {
  const url = text.length <= longest && !text.includes('#') ? URL.parse(text) : null;
  if (url === null || !isSpelledAs(url, text) || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || loopback.test(text);
}

/** Browsers leave out a slash at the end, nothing else: neither case, nor ports, nor dots, nor escapes. */
const isSpelledAs = ({ href }: URL, text: string): boolean => href === text || href === `${text}/`;

/**
 * Whether an answer may go where a request asks for: to an address of the client's list, letter by letter. A program on
 * the user's computer takes whatever port is free (RFC 8252, 7.3), so that alone may differ there.
 */
export const isListed = (list: readonly string[], asked: string): boolean =>
  isRedirectUri(asked) && list.some((one) => one === asked || isSameProgram(one, asked));

function isSameProgram(one: string, other: string): boolean {
  const [, host, , path] = loopback.exec(one) ?? [];
  const [, otherHost, , otherPath] = loopback.exec(other) ?? [];
  return host !== undefined && host === otherHost && path === otherPath;
}

export const isOnThisComputer = (uri: string): boolean => loopback.test(uri);

/** Where an answer goes, as a person judges it: the host, and its port if it is not the usual one. */
export const hostOf = (uri: string): string => new URL(uri).host;
