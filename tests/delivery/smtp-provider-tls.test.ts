import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { anEmail, providerTo } from './smtp-email.ts';

const folder = mkdtempSync(join(tmpdir(), 'rostrum-tls-'));
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
const request =
  'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
execFileSync('openssl', [...request.split(' '), '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' });
const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')];
rmSync(folder, { recursive: true });

const trusted = getCACertificates();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  setDefaultCACertificates(trusted);
  for (const close of closing.splice(0)) await close();
});

/** A server with that certificate; it tells of each message whether it came over TLS, and from whom. */
async function serve(secure: boolean): Promise<{ port: number; came: { secure: boolean; user: unknown }[] }> {
  const came: { secure: boolean; user: unknown }[] = [];
  const server = new SMTPServer({
    secure,
    key,
    cert,
    authOptional: true,
    onAuth: (auth, _, done) => done(null, { user: auth.username }),
    onData: (data, session, done) => {
      came.push({ secure: session.secure, user: session.user });
      data.on('end', () => done()).resume();
    },
  });
  server.on('error', () => undefined);
  const listening = await new Promise<AddressInfo>((resolve) => {
    const net = server.listen(0, '127.0.0.1', () => resolve(net.address() as AddressInfo));
  });
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return { port: listening.port, came };
}

const login = { user: 'someone', pass: 'secret' };

test.each([
  ['offered', false],
  ['required', false],
  ['always', true],
] as const)(
  'with TLS %s, login and message go encrypted to a server that is trusted',
  async (tls, secure) => {
    setDefaultCACertificates([...trusted, cert]);
    const { port, came } = await serve(secure);
    const provider = providerTo(port, { host: 'localhost', tls, login });
    expect(await provider.send(anEmail())).toMatchObject({ outcome: 'sent' });
    expect(came).toEqual([{ secure: true, user: 'someone' }]);
    await provider.close();
  },
);

test.each([
  ['offered', false, 'localhost'],
  ['required', false, 'localhost'],
  ['always', true, 'localhost'],
] as const)('with TLS %s, a server nobody vouches for gets nothing', async (tls, secure, host) => {
  const { port, came } = await serve(secure);
  const provider = providerTo(port, { host, tls, login });
  const answer = await provider.send(anEmail());
  expect(answer).toEqual({ outcome: 'unreached', reply: expect.stringMatching(/self-signed certificate/) });
  expect(came).toEqual([]);
  await provider.close();
});

test('a trusted server under another name gets nothing', async () => {
  setDefaultCACertificates([...trusted, cert]);
  const { port, came } = await serve(true);
  const provider = providerTo(port, { host: '127.0.0.1', tls: 'always' });
  expect(await provider.send(anEmail())).toMatchObject({ outcome: 'unreached' });
  expect(came).toEqual([]);
  await provider.close();
});

test('with TLS off it is not used, even where it is offered', async () => {
  const { port, came } = await serve(false);
  const provider = providerTo(port, { tls: 'off' });
  expect(await provider.send(anEmail())).toMatchObject({ outcome: 'sent' });
  expect(came).toMatchObject([{ secure: false }]);
  await provider.close();
});
