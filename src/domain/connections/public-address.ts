import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What IANA lists as reachable from some network only, or by nobody. */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4: an IPv4 address, of any network, is in it
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv6');

/** All of IPv6 that is given out to the world. What maps IPv4 addresses lies elsewhere. */
const worldwide = new BlockList();
worldwide.addSubnet('2000::', 3, 'ipv6');

/** Whether anybody in the world could ask at this address: it is no part of our own network. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return isIPv6(address) && worldwide.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}
