import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { EmailProvider } from '../../src/domain/delivery/outgoing/outgoing.ts';
import type { SmtpOptions } from '../../src/domain/delivery/providers/smtp/smtp.ts';
import { measured } from '../support/measured.ts';
import { isLong } from '../support/volume.ts';
import { startSmtpScript, type Act, type SmtpScript, type Stage } from '../support/smtp-script.ts';
import { anEmail, providerTo } from './smtp-email.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serving(
  act: Parameters<typeof startSmtpScript>[0],
  options: Partial<SmtpOptions> = {},
): Promise<{ server: SmtpScript; provider: EmailProvider }> {
  const server = await startSmtpScript(act);
  const provider = providerTo(server.port, { giveUpMs: 10_000, ...options });
  closing.push(
    () => provider.close(),
    () => server.close(),
  );
  return { server, provider };
}

const one = { connections: 1 };

test('a connection is used again, and for no more than a hundred messages', async () => {
  const { server, provider } = await serving(() => undefined, one);
  for (let sent = 0; sent < 101; sent++) {
    expect(await provider.send(anEmail())).toMatchObject({ outcome: 'sent' });
    expect(server.connections).toBe(sent < 100 ? 1 : 2);
  }
  expect(server.received).toHaveLength(101);
});

test('a connection is used again after a refusal, from a clean start', async () => {
  const refuse = (stage: Stage, to: string): Act | undefined =>
    stage === 'rcpt' && to.startsWith('no-user')
      ? '550 5.1.1 No such user'
      : stage === 'message' && to.startsWith('spam')
        ? '554 5.7.1 Spam'
        : undefined;
  const { server, provider } = await serving((stage, { to }) => refuse(stage, to), one);
  for (const [to, outcome] of [
    ['no-user@mbox.test', 'refused'],
    ['ok@mbox.test', 'sent'],
    ['spam@mbox.test', 'refused'],
    ['ok@mbox.test', 'sent'],
  ] as const) {
    expect(await provider.send(anEmail({ to }))).toMatchObject({ outcome });
  }
  expect(server.connections).toBe(1);
  expect(server.commands.filter((command) => command === 'RSET')).toHaveLength(2);
});

test('a connection that cannot start over is given up', async () => {
  const { server, provider } = await serving((stage, { number }) => {
    if (stage === 'rcpt' && number === 1) return '550 5.1.1 No such user';
    return stage === 'rset' ? '500 What?' : undefined;
  }, one);
  expect(await provider.send(anEmail())).toMatchObject({ outcome: 'refused' });
  expect(await provider.send(anEmail())).toMatchObject({ outcome: 'sent' });
  expect(server.connections).toBe(2);
});

test.each(['hang up', 'break', '421 4.4.2 Idle for too long'] as const)(
  'a kept connection that the server gave up (%s) costs nothing: the message goes by a new one, once',
  async (act) => {
    const { server, provider } = await serving(
      (stage, { number, messages }) => (stage === 'mail' && number === 1 && messages === 1 ? act : undefined),
      one,
    );
    expect(await provider.send(anEmail())).toMatchObject({ outcome: 'sent' });
    expect(await provider.send(anEmail({ to: 'second@mbox.test' }))).toMatchObject({ outcome: 'sent' });
    expect(server.connections).toBe(2);
    expect(server.received.map(({ to }) => to)).toEqual(['ok@mbox.test', 'second@mbox.test']);
  },
);

test('a kept connection that was lost in between is not even tried', async () => {
  const { server, provider } = await serving(() => undefined, one);
  await provider.send(anEmail());
  server.drop();
  await pause(50);
  expect(await provider.send(anEmail())).toMatchObject({ outcome: 'sent' });
  expect(server.received).toHaveLength(2);
});

test.each(['hang up', 'break'] as const)(
  'a message is not tried again by itself once a byte of it went (%s), on a kept connection either',
  async (act) => {
    const { server, provider } = await serving(
      (stage, { to }) => (stage === 'message' && to === 'lost@mbox.test' ? act : undefined),
      one,
    );
    await provider.send(anEmail());
    expect(await provider.send(anEmail({ to: 'lost@mbox.test' }))).toMatchObject({ outcome: 'uncertain' });
    await pause(300);
    expect(server.received.map(({ to }) => to)).toEqual(['ok@mbox.test', 'lost@mbox.test']);
  },
);

test(
  'who gives up in time holds no connection: what waits is let go, and the next finds a new one',
  measured,
  async () => {
    let isStuck = true;
    const { server, provider } = await serving(
      (stage) => (stage === 'rcpt' && isStuck ? { trickle: '250-wait' } : undefined),
      { ...one, giveUpMs: 2_000 },
    );
    const start = performance.now();
    const many = Array.from({ length: 8 }, () => 'unreached');
    const answers = await Promise.all(many.map(() => provider.send(anEmail())));
    // One after another would be 16 seconds.
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(answers.map(({ outcome }) => outcome)).toEqual(many);
    isStuck = false;
    expect(await provider.send(anEmail())).toMatchObject({ outcome: 'sent' });
    await pause(200);
    expect(server.received).toHaveLength(1);
  },
);

test('closing waits for what is under way, and says goodbye', async () => {
  let goOn = (): void => {};
  const asked = new Promise<void>((resolve) => (goOn = resolve));
  const { server, provider } = await serving(async (stage) => {
    if (stage === 'message') await asked;
    return undefined;
  });
  const sending = provider.send(anEmail());
  let isClosed = false;
  const closed = provider.close().then(() => (isClosed = true));
  await pause(100);
  expect(isClosed).toBe(false);
  goOn();
  expect(await sending).toMatchObject({ outcome: 'sent' });
  await closed;
  await expect.poll(() => server.commands.at(-1)).toBe('QUIT');
});

/** Whatever a server may do, mostly what it should. */
const mischief: readonly (Act | undefined)[] = [
  ...Array.from({ length: 80 }, () => undefined),
  'hang up',
  'break',
  '421 4.3.2 Closing',
  '451 4.3.0 Later',
  '550 5.1.1 No',
  'keep silent',
];

/** What a message that came in was answered with, by what is said of it. A refusal may be of the envelope, too. */
const truth = { sent: /^2$/, unreached: /^$/, deferred: /^4?$/, refused: /^5?$/, uncertain: /^.?$/ } as const;

test('whatever a server does, no message comes in twice, and what is said of it is true', async () => {
  let seed = 20_260_801;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const act = (stage: Stage): Act | undefined => {
    const what = mischief[random(mischief.length)];
    const says = typeof what === 'string' && /^\d/.test(what);
    return stage === 'content' && says ? undefined : what; // in its midst nothing is said
  };
  const { server, provider } = await serving(act, { connections: 8, giveUpMs: 1_000 });
  const answers: (readonly [to: string, outcome: keyof typeof truth])[] = [];
  let left = isLong ? 400 : 160;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const email = anEmail({ to: `p${left}@d${left % 40}.test` });
      answers.push([email.to, (await provider.send(email)).outcome]);
    }
  };
  await Promise.all(Array.from({ length: 12 }, work));
  await pause(300);
  const came = Map.groupBy(server.received, ({ to }) => to);
  for (const [to, outcome] of answers) {
    const times = came.get(to) ?? [];
    expect(times.length).toBeLessThanOrEqual(1);
    const said = times.map((time) => time.said.slice(0, 1));
    expect({ to, outcome, said: said.join('') }).toEqual({
      to,
      outcome,
      said: expect.stringMatching(truth[outcome]),
    });
  }
  expect(new Set(answers.map(([, outcome]) => outcome))).toEqual(
    new Set(['sent', 'deferred', 'refused', 'unreached', 'uncertain']),
  );
}, 240_000);
