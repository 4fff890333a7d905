import { expect, test } from 'vitest';
import { networkOf } from '../../src/domain/orgs/network-of.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:0:12::1', '2001:db8:0:12'],
  ['2001:0DB8:0000:0012:ffff:ffff:ffff:ffff', '2001:db8:0:12'],
  ['2001:db8:0:13::1', '2001:db8:0:13'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['what a proxy made up', 'what a proxy made up'],
  ['', ''],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
