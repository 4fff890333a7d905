import { expect, test } from 'vitest';
import { readConfig } from '../../src/main/config.ts';

const read = (more: Record<string, string>) => readConfig({ ROSTRUM_SECRET: 'x'.repeat(32), ...more });

test('without settings the return path has a name that leads nowhere, and the system is asked', () => {
  const { MAIL_RETURN_PATH_HOST, DNS_SERVERS } = read({ DNS_SERVERS: '' });
  expect({ MAIL_RETURN_PATH_HOST, DNS_SERVERS }).toEqual({
    MAIL_RETURN_PATH_HOST: 'bounce.rostrum.test',
    DNS_SERVERS: undefined,
  });
});

test('resolvers are addresses, each with a port or without', () => {
  const servers = ['192.0.2.1', '192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]:53'];
  expect(read({ DNS_SERVERS: servers.join(' , ') }).DNS_SERVERS).toEqual(servers);
});

test.each([
  'dns.example',
  '192.0.2.1:70000',
  '192.0.2.1:0',
  '192.0.2.1:',
  '192.0.2.1,,192.0.2.2',
  '[192.0.2.1]:53',
  ':53',
])('DNS_SERVERS may not be %j', (DNS_SERVERS) => {
  expect(() => read({ DNS_SERVERS })).toThrow(/DNS_SERVERS must be addresses/);
});

test.each([
  'localhost',
  'bounce.example.com.',
  'bounce_1.example.com',
  'http://bounce.example.com',
  '-a.example.com',
])('MAIL_RETURN_PATH_HOST may not be %j', (MAIL_RETURN_PATH_HOST) => {
  expect(() => read({ MAIL_RETURN_PATH_HOST })).toThrow(/MAIL_RETURN_PATH_HOST must be a host name/);
});

test('the name of the return path is read in lower case', () => {
  expect(read({ MAIL_RETURN_PATH_HOST: 'Bounce.Example.COM' }).MAIL_RETURN_PATH_HOST).toBe(
    'bounce.example.com',
  );
});
