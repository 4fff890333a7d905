import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import { expect, test } from 'vitest';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { feedbackAddress } from '../../src/domain/delivery/outgoing/feedback-address.ts';
import { keyring } from '../../src/main/keys.ts';
import { useWorld } from '../support/world.ts';
import { callMailbox, mail, newSent, openMailbox, stateOf, tokenOf, useMailbox } from './back-in.ts';
import { sampleOf } from './dsn-samples.ts';

const world = useWorld();
const mailbox = useMailbox(world);

test('a bounce address that was not made here is no mailbox', async () => {
  const org = await world().newOrg();
  const { token } = await newSent(world(), org);
  const spoiled = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
  for (const local of [
    'b-',
    `b-${spoiled}`,
    `b-${token}x`,
    `b-${tokenOf(world(), org, 1, 'message')}`,
    `b-${tokenOf(world(), org, 1, 'unsubscribe')}`,
    `b-${tokenOf(world(), org, 1, 'receipt')}`,
    token,
    'news',
    'postmaster',
    'b',
  ]) {
    expect(await mail(mailbox().port, `${local}@bounce.rostrum.test`, 'x')).toMatch(/^550 5\.1\.1 /);
  }
});

test('complaints and replies are taken at our own host alone, bounces at whichever sending domain', async () => {
  const { token } = await newSent(world(), await world().newOrg());
  const [complaints] = feedbackAddress(keyring(world().config), 'bounce.rostrum.test').split('@');
  for (const box of [complaints, 'replies']) {
    expect(await mail(mailbox().port, `${box}@bounce.sender.test`, 'x')).toMatch(/^550 /);
    expect(await mail(mailbox().port, `${box}@bounce.rostrum.test`, 'x')).toMatch(/^250 /);
  }
  expect(await mail(mailbox().port, `b-${token}@bounce.sender.test`, 'x')).toMatch(/^250 /);
  expect(await mail(mailbox().port, `B-${token.toUpperCase()}@BOUNCE.other.test`, 'x')).toMatch(/^250 /);
});

test('more than a megabyte is refused, whether it is announced or not, and changes nothing', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const call = await callMailbox(mailbox().port);
  expect(await call.say('MAIL FROM:<> SIZE=2000000')).toMatch(/^552 /);
  call.end();
  const padded = sampleOf('postfix', sent) + 'x'.repeat(76).concat('\r\n').repeat(14_000);
  expect(await mail(mailbox().port, sent.returnPath, padded)).toMatch(/^552 /);
  expect((await stateOf(world(), sent)).row.bounced_at).toBeNull();
});

test('there is nobody to log in as, and no game to play', async () => {
  const call = await callMailbox(mailbox().port);
  for (const command of ['AUTH PLAIN AGEAYg==', 'WIZ x', 'SHELL', 'KILL', 'STARTTLS']) {
    expect(await call.say(command)).toMatch(/^5/);
  }
  call.end();
});

test('one message may be for several, but not for many', async () => {
  const org = await world().newOrg();
  const first = await newSent(world(), org);
  const two = [first, await newSent(world(), org, { to: first.to, person: first.person })];
  const sample = sampleOf('postfix', two[0]!);
  expect(
    await mail(
      mailbox().port,
      two.map(({ returnPath }) => returnPath),
      sample,
    ),
  ).toMatch(/^250 /);
  for (const sent of two) expect((await stateOf(world(), sent)).row.bounce_class).toBe('hard');
  const many = Array.from({ length: 11 }, (_, index) => `b-${two[0]!.token}@bounce.s${index}.test`);
  expect(await mail(mailbox().port, many, sample)).toMatch(/^452 /);
});

test('while the database is away the other side keeps the message, and is served when it is back', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const pool = openPool({ url: 'postgres://nobody@127.0.0.1:1/none', size: 1, onError: () => undefined });
  const alone = await openMailbox(world(), { database: openDatabase(pool) });
  expect(await mail(alone.port, sent.returnPath, sampleOf('postfix', sent))).toMatch(/^451 4\./);
  await alone.close();
  await pool.end();
  expect((await stateOf(world(), sent)).row.bounced_at).toBeNull();
  expect(await mail(mailbox().port, sent.returnPath, sampleOf('postfix', sent))).toMatch(/^250 /);
  expect((await stateOf(world(), sent)).row.bounce_class).toBe('hard');
});

test('a bounce that is faster than the ledger waits for it', async () => {
  const sent = await newSent(world(), await world().newOrg(), { state: 'sending' });
  const answer = mail(mailbox().port, sent.returnPath, sampleOf('postfix', sent));
  await pause(600);
  expect((await stateOf(world(), sent)).row.bounced_at).toBeNull();
  await world().admin.query(
    `update deliveries set state = 'sent', address = $2, sent_at = now() where id = $1`,
    [sent.delivery, sent.to],
  );
  expect(await answer).toMatch(/^250 /);
  expect((await stateOf(world(), sent)).blacklist).toMatchObject([{ email: sent.to, reason: 'bounced' }]);
});

test('a bounce of what stays in hand is to come again', async () => {
  const sent = await newSent(world(), await world().newOrg(), { state: 'sending' });
  expect(await mail(mailbox().port, sent.returnPath, sampleOf('postfix', sent))).toMatch(/^451 /);
  expect((await stateOf(world(), sent)).row.history).toEqual([]);
});

test('who is being written to is not blacklisted until that is over', async () => {
  const { admin, database } = world();
  const sent = await newSent(world(), await world().newOrg());
  let answered: string | undefined;
  let answering: Promise<void> | undefined;
  await database.transaction().execute(async (held) => {
    await held.selectFrom('people').select('id').where('id', '=', sent.person).forKeyShare().execute();
    answering = mail(mailbox().port, sent.returnPath, sampleOf('postfix', sent)).then((answer) => {
      answered = answer;
      return undefined;
    });
    const waiting = `select count(*)::int from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%for update%'`;
    await expect.poll(async () => (await admin.query(waiting)).rows[0].count, { timeout: 20_000 }).toBe(1);
    expect(answered).toBeUndefined();
    const { rows } = await admin.query('select 1 from email_blacklist where person_id = $1', [sent.person]);
    expect(rows).toEqual([]);
  });
  await answering;
  expect(answered).toMatch(/^250 /);
  expect((await stateOf(world(), sent)).blacklist).toHaveLength(1);
});

test('nobody stays for ever, a byte at a time', async () => {
  const hasty = await openMailbox(world(), { sessionMs: 4_000 });
  const { returnPath } = await newSent(world(), await world().newOrg());
  const call = await callMailbox(hasty.port);
  await call.say('MAIL FROM:<>');
  await call.say(`RCPT TO:<${returnPath}>`);
  await call.say('DATA');
  const drip = setInterval(() => call.write('x'), 50);
  expect(await call.hear()).toMatch(/^421 /);
  clearInterval(drip);
  call.end();
  await hasty.close();
});

test('so many are served at a time, and whoever comes then is told to come back', async () => {
  const busy = await openMailbox(world());
  const guests = await Promise.all(Array.from({ length: 100 }, () => callMailbox(busy.port)));
  const late = await callMailbox(busy.port);
  expect(late.greeting).toMatch(/^421 /);
  guests[0]!.end();
  await expect
    .poll(async () => {
      const next = await callMailbox(busy.port);
      next.end();
      return next.greeting;
    })
    .toMatch(/^220 /);
  for (const guest of guests) guest.end();
  await busy.close();
});

test('closing finishes what is being taken, and tells who only waits to come back', async () => {
  const sent = await newSent(world(), await world().newOrg(), { state: 'sending' });
  let inHand = false;
  const clock = { now: () => ((inHand = true), new Date()) }; // it is looked at when a message begins to come in
  const closing = await openMailbox(world(), { clock });
  const idle = await callMailbox(closing.port);
  expect(inHand).toBe(false);
  const answer = mail(closing.port, sent.returnPath, sampleOf('postfix', sent));
  await expect.poll(() => inHand).toBe(true);
  const closed = closing.close();
  await pause(100);
  expect(await idle.say('MAIL FROM:<>')).toMatch(/^421 /);
  await world().admin.query(`update deliveries set state = 'sent', address = $2 where id = $1`, [
    sent.delivery,
    sent.to,
  ]);
  expect(await answer).toMatch(/^250 /);
  await closed;
  await expect(callMailbox(closing.port)).rejects.toThrow('ECONNREFUSED');
});

test('with a certificate it speaks TLS', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mailbox-'));
  const [keyFile, certFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=bounce.rostrum.test', '-days', '1'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile, '-out', certFile, ...subject],
    { stdio: 'ignore' },
  );
  const tls = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  const secure = await openMailbox(world(), { tls });
  const sent = await newSent(world(), await world().newOrg());
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: secure.port,
    requireTLS: true,
    tls: { ca: tls.cert, servername: 'bounce.rostrum.test' },
  });
  await transport.sendMail({ envelope: { from: '', to: [sent.returnPath] }, raw: sampleOf('postfix', sent) });
  await secure.close();
  expect((await stateOf(world(), sent)).row.bounce_class).toBe('hard');
});

test('the log names messages, never addresses', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await mail(mailbox().port, sent.returnPath, sampleOf('postfix', sent));
  await mail(
    mailbox().port,
    'replies@bounce.rostrum.test',
    `From: ${sent.to}\nSubject: hush\n\nhush`,
    sent.to,
  );
  const lines = mailbox().lines.join('\n');
  expect(lines).toContain(`"delivery":${sent.delivery},"notice":"bounced","news":true`);
  expect(lines).not.toMatch(/@|hush|secret|receiver\.test/);
  expect(lines).not.toContain(sent.token);
});
