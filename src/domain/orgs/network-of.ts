import { isIPv6 } from 'node:net';

/**
 * Who is counted as one client: an IPv4 address, or the /64 that an IPv6 address is in, because whoever has one address of
 * it has them all.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1); // a link-local address names its interface behind %
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? dotted(groups.slice(6)) : groups.slice(0, 4).join(':');
}

/** The eight groups in lower case, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}

/** A socket for both families shows IPv4 clients as ::ffff:a.b.c.d; by their /64 they would all be one. */
const dotted = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.');
