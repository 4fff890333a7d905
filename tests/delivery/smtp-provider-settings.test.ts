import { expect, test } from 'vitest';
import { readConfig } from '../../src/main/config.ts';
import { openProviders } from '../../src/main/providers.ts';
import { smtpServer } from '../../src/main/smtp-server.ts';

const read = (more: Record<string, string>) => readConfig({ ROSTRUM_SECRET: 'x'.repeat(32), ...more });
const serverOf = (more: Record<string, string>) => smtpServer(read(more));

test('without a server there is nothing to send email through', async () => {
  expect(serverOf({})).toBeUndefined();
  const hearing = { receipt: async () => {}, inbound: async () => {} };
  expect(openProviders(read({}), hearing as never).email).toBeUndefined();
  const { email } = openProviders(read({ SMTP_URL: 'smtp://mail.example' }), hearing as never);
  expect(email?.name).toBe('smtp');
  await email?.close();
});

test.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'offered', login: undefined }],
  ['smtp://mail.example:25/', { host: 'mail.example', port: 25, tls: 'offered' }],
  ['smtp://[::1]:2525', { host: '::1', port: 2525 }],
  ['smtps://mail.example', { host: 'mail.example', port: 465, tls: 'always' }],
  [
    'smtp://user%40x:p%3Ass@mail.example',
    { port: 587, tls: 'required', login: { user: 'user@x', pass: 'p:ss' } },
  ],
  [
    'smtps://user:pass@mail.example:2465',
    { port: 2465, tls: 'always', login: { user: 'user', pass: 'pass' } },
  ],
  ['smtp://user:pass@localhost?tls=off', { tls: 'off' }],
  ['smtp://mail.example?tls=required', { tls: 'required' }],
])('SMTP_URL %s says where and how', (SMTP_URL, expected) => {
  expect(serverOf({ SMTP_URL })).toMatchObject(expected);
});

test('how we greet and how many connections there are is set beside', () => {
  const server = { SMTP_URL: 'smtp://mail.example' };
  expect(serverOf(server)).toMatchObject({ connections: 10, name: undefined, isSigned: true });
  expect(serverOf({ ...server, SMTP_DKIM: 'server' })).toMatchObject({ isSigned: false });
  expect(serverOf({ ...server, SMTP_NAME: 'out.example', SMTP_CONNECTIONS: '40' })).toMatchObject({
    connections: 40,
    name: 'out.example',
  });
});

test.each([
  'mail.example',
  'http://mail.example',
  'smtp://',
  'smtp://mail.example/path',
  'smtp://mail.example?tls=maybe',
  'smtp://mail.example?ignoreTLS=true',
  'smtp://mail.example?tls=off&tls=required',
  'smtps://mail.example?tls=off',
])('SMTP_URL may not be %s', (SMTP_URL) => {
  expect(() => read({ SMTP_URL })).toThrow(/SMTP_URL/);
});

test.each([
  ['SMTP_NAME', 'a b'],
  ['SMTP_CONNECTIONS', '0'],
  ['SMTP_CONNECTIONS', 'many'],
  ['SMTP_DKIM', 'nobody'],
])('%s may not be %s', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(name));
});

test('what is wrong with the address is said without the password', () => {
  expect(() => read({ SMTP_URL: 'smtp://user:hunter2@mail.example/path' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
  );
});
