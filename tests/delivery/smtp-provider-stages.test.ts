import { createServer, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import {
  startSmtpScript,
  withoutPipelining,
  type Act,
  type SmtpScript,
  type Stage,
} from '../support/smtp-script.ts';
import { anEmail, providerTo } from './smtp-email.ts';

// Most of it waits for servers that say nothing, so tests run side by side and end together.
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function serving(...given: Parameters<typeof startSmtpScript>): Promise<SmtpScript> {
  const server = await startSmtpScript(...given);
  closing.push(() => server.close());
  return server;
}

/** Where nothing will come there is no use in waiting, but a busy machine must get as far as that. */
const patience = (act: Act) => ({
  giveUpMs: act === 'keep silent' || typeof act === 'object' ? 1_500 : 20_000,
});

/** Sends one email to a server that does this at that stage. */
async function sendWhen(stage: Stage, act: Act, ehlo?: string) {
  const server = await serving((at) => (at === stage ? act : at === 'ehlo' ? ehlo : undefined));
  const provider = providerTo(server.port, patience(act));
  const answer = await provider.send(anEmail());
  await provider.close();
  return { answer, server };
}

const lost: readonly Act[] = ['hang up', 'break', 'keep silent', { trickle: '250-still thinking' }];

test('a message that is taken is sent, with the reply', async () => {
  const { answer, server } = await sendWhen('message', '250 2.0.0 Ok: queued as 4XyZ');
  expect(answer).toEqual({ outcome: 'sent', reply: '250 2.0.0 Ok: queued as 4XyZ' });
  expect(server.received).toMatchObject([{ from: 'b-token@bounce.acme.test', to: 'ok@mbox.test' }]);
});

test('where nobody listens, nothing is handed over', async () => {
  const nobody = createServer();
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  const { port } = nobody.address() as AddressInfo;
  await new Promise((resolve) => nobody.close(resolve));
  const provider = providerTo(port);
  expect(await provider.send(anEmail())).toEqual({
    outcome: 'unreached',
    reply: expect.stringContaining('ECONNREFUSED'),
  });
  const nameless = providerTo(port, { host: 'no-such-host.invalid' });
  expect(await nameless.send(anEmail())).toMatchObject({ outcome: 'unreached' });
});

describe.concurrent.each(['greeting', 'ehlo'] as const)('before the session, at the %s,', (stage) => {
  test.each([...lost, '421 4.3.2 Too busy', '554 5.7.1 Go away'])('%j reaches nobody', async (act) => {
    // A server that has no EHLO is asked for HELO.
    const server = await serving((at) =>
      at === stage || (stage === 'ehlo' && at === 'helo') ? act : undefined,
    );
    const provider = providerTo(server.port, patience(act));
    expect(await provider.send(anEmail())).toMatchObject({ outcome: 'unreached' });
    expect(server.received).toEqual([]);
  });
});

test('a login that is refused reaches nobody, and one that is taken goes on', async () => {
  const ehlo = '250-script.test\r\n250 AUTH PLAIN';
  const login = { user: 'someone', pass: 'secret' };
  for (const [said, outcome] of [
    ['535 5.7.8 Wrong password', 'unreached'],
    ['454 4.7.0 Try later', 'unreached'],
    ['235 2.7.0 Welcome', 'sent'],
  ]) {
    const server = await serving((at) => (at === 'auth' ? said : at === 'ehlo' ? ehlo : undefined));
    const answer = await providerTo(server.port, { login }).send(anEmail());
    expect(answer).toMatchObject({ outcome });
    expect(server.commands).toContain(`AUTH PLAIN ${Buffer.from('\0someone\0secret').toString('base64')}`);
  }
});

test('where TLS is required and not there, neither login nor message is sent', async () => {
  const server = await serving((at) => (at === 'ehlo' ? '250-script.test\r\n250 AUTH PLAIN' : undefined));
  const provider = providerTo(server.port, { tls: 'required', login: { user: 'a', pass: 'b' } });
  expect(await provider.send(anEmail())).toMatchObject({ outcome: 'unreached' });
  expect(server.commands.filter((command) => /^(auth|mail)/i.test(command))).toEqual([]);
});

describe.concurrent.each([
  ['all commands at once', undefined],
  ['one command at a time', withoutPipelining],
])('in the envelope, %s,', (_, ehlo) => {
  describe.concurrent.each(['mail', 'rcpt', 'data'] as const)('at %s,', (stage) => {
    test.each(lost)('%j reaches nobody: not a byte of the message went', async (act) => {
      const { answer, server } = await sendWhen(stage, act, ehlo);
      expect(answer).toMatchObject({ outcome: 'unreached' });
      expect(server.received).toEqual([]);
    });

    test.each([
      ['451 4.7.1 Greylisted, come back', 'deferred', '4.7.1'],
      ['452-4.2.2 Mailbox\r\n452 4.2.2 full', 'deferred', '4.2.2'],
      ['450 later', 'deferred', '450'],
      ['421 4.7.0 Too many messages, closing', 'deferred', '4.7.0'],
      ['550 5.1.1 No such user', 'refused', '5.1.1'],
      ['550-5.7.515 Access denied,\r\n550 5.7.515 not authenticated', 'refused', '5.7.515'],
      ['554 no', 'refused', '554'],
    ])('%j is an answer', async (act, outcome, code) => {
      const { answer, server } = await sendWhen(stage, act, ehlo);
      expect(answer).toEqual({ outcome, code, reply: act.replace('\r\n', ' ') });
      expect(server.received).toEqual([]);
    });

    test.each(['503 5.5.1 Bad sequence', '530 5.7.0 Must issue STARTTLS first'])(
      '%j is about the session and no answer to the message',
      async (act) => {
        const { answer } = await sendWhen(stage, act, ehlo);
        expect(answer).toEqual({ outcome: 'unreached', reply: act });
      },
    );
  });
});

describe.concurrent('once the message is on its way', () => {
  test.each(lost)('%j in its midst leaves it uncertain', async (act) => {
    const { answer } = await sendWhen('content', act);
    expect(answer).toMatchObject({ outcome: 'uncertain' });
  });

  test.each([...lost, '354 More', 'what?'])('%j at its end leaves it uncertain', async (act) => {
    const { answer, server } = await sendWhen('message', act);
    expect(answer).toMatchObject({ outcome: 'uncertain' });
    expect(server.received).toHaveLength(1);
  });

  test.each([
    ['451 4.3.0 Try again', 'deferred', '4.3.0'],
    ['421 4.4.2 Closing', 'deferred', '4.4.2'],
    ['554 5.7.1 Looks like spam', 'refused', '5.7.1'],
  ])('%j at its end is an answer', async (act, outcome, code) => {
    const { answer } = await sendWhen('message', act);
    expect(answer).toEqual({ outcome, code, reply: act });
  });
});

test('a reply of many lines and long is kept to what the ledger holds', async () => {
  const { answer } = await sendWhen('rcpt', `${'550-5.1.1 a long story\r\n'.repeat(60)}550 5.1.1 the end`);
  expect(answer).toMatchObject({ outcome: 'refused', code: '5.1.1' });
  expect(answer.reply).toHaveLength(500);
  expect(answer.reply).not.toContain('\n');
});
