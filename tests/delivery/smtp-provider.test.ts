import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { authenticate } from 'mailauth';
import PostalMime from 'postal-mime';
import { afterAll, expect, test } from 'vitest';
import { composeEmail } from '../../src/domain/delivery/outgoing/email-message.ts';
import { smtpProvider } from '../../src/domain/delivery/providers/smtp/smtp.ts';
import { openDkimKey } from '../../src/domain/senders/dkim-key.ts';
import type { SendingDomainId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { newDomain, publishAll, recordOf, type Answered } from '../senders/sending-domain.ts';
import { startDns } from '../support/dns.ts';
import { startMail } from '../support/mail.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { anEmail } from './smtp-email.ts';

const returnPathHost = 'bounce.mail.test';
const dns = await startDns();
const mail = await startMail();
const smtp = smtpProvider({ host: '127.0.0.1', port: mail.port, tls: 'offered', connections: 4 });
afterAll(async () => {
  await smtp.close();
  await Promise.all([dns.stop(), mail.stop()]);
});
const world = useWorld({
  env: { MAIL_RETURN_PATH_HOST: returnPathHost, PUBLIC_URL: 'https://rostrum.test' },
});

const resolver = new Resolver();
resolver.setServers([dns.servers]);

/** Whom SPF allows is the operator's to publish, at the name that return paths lead to. */
await dns.publish({ host: returnPathHost, type: 'TXT', value: 'v=spf1 ip4:127.0.0.1 -all' });

async function keyOf(org: TestOrg, { id }: Answered) {
  const { rows } = await world().admin.query<{
    id: SendingDomainId;
    dkim_selector: string;
    dkim_public_key: string;
    dkim_private_key: Buffer;
  }>('select * from sending_domains where org_id = $1 and id = $2', [org.id, id]);
  const row = rows[0]!;
  return { selector: row.dkim_selector, key: openDkimKey(keyring(world().config).stored, org.id, row) };
}

/** An email of an organization whose records are published, sent through Postfix and read from the mailbox. */
async function receive(
  domain: string,
  to: string,
  more: { html?: string; text?: string; subject?: string } = {},
) {
  const org = await world().newOrg();
  const made = await newDomain(org, domain);
  await publishAll(dns, made);
  const email = composeEmail({
    keys: keyring(world().config),
    mail: mailSettings(world().config),
    org: org.id,
    delivery: 42,
    broadcastId: '019c0000-0000-7000-8000-0123456789ab',
    sender: { from: `Ærø & Søns <news@${domain}>`, reply_to: `answers@${domain}`, domain },
    dkim: { domain, ...(await keyOf(org, made)) },
    to,
    subject: 'Grüße: ein langer Betreff, der über mehr als eine Zeile geht — mit Gedankenstrich',
    html: '<p>Hello</p>',
    text: 'Hello',
    ...more,
  });
  expect(await smtp.send(email)).toMatchObject({ outcome: 'sent' });
  const raw = await mail.messageTo(to);
  return { made, email, raw, message: raw.replaceAll(/\r?\n/g, '\r\n') };
}

/** Nobody runs the top of this small world; a real one would say that it has no such record. */
const lookUp = async (name: string, type: string): Promise<never> => {
  if (name === '_dmarc.test') throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return (await resolver.resolve(name, type)) as never;
};

const judge = (message: string, { returnPath }: { readonly returnPath: string }, ip = '127.0.0.1') =>
  authenticate(Buffer.from(message, 'latin1'), {
    ip,
    helo: 'rostrum.test',
    mta: 'mx.mbox.test',
    sender: returnPath,
    resolver: lookUp,
  });

async function askOpenDkim(
  message: string,
  { host, value }: { host: string; value: string },
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-opendkim-'));
  const [keys, settings, file] = ['keys', 'opendkim.conf', 'message.eml'].map((name) => join(folder, name));
  await writeFile(keys!, `${host} ${value}\n`);
  await writeFile(settings!, `Mode v\nSyslog no\nTestDNSData file:${keys}\n`);
  await writeFile(file!, message, 'latin1');
  const path = `${process.env['PATH']}:/usr/sbin`;
  const asked = promisify(execFile)('opendkim', ['-x', settings!, '-t', file!], { env: { PATH: path } });
  const { stdout, stderr } = await asked;
  await rm(folder, { recursive: true });
  return `${stdout}${stderr}`;
}

/** As DNS has it, chunks joined. */
const published = async ({ host }: { host: string }) => ({
  host,
  value: (await resolver.resolveTxt(host))[0]!.join(''),
});

const longBody = {
  html: `<p>${'Ein sehr langer Absatz ohne Ende, mit Größe, “Zitaten” und 🎈. '.repeat(60)}</p>`,
  text: `.\n..führende Punkte\n${'eine lange Zeile mit ÄÖÜ '.repeat(100)}\nlast  \n`,
};

test('what arrives is signed for its domain, allowed and aligned: DKIM, SPF and DMARC pass', async () => {
  const { message, email, made } = await receive('passes.acme.test', 'ok-passes@mbox.test', longBody);
  const { dkim, spf, dmarc } = await judge(message, email);
  expect(dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([
    ['pass', 'passes.acme.test'],
  ]);
  expect(spf).toMatchObject({ status: { result: 'pass' }, domain: 'bounce.passes.acme.test' });
  expect(dmarc).toMatchObject({
    status: { result: 'pass' },
    alignment: { dkim: { result: 'passes.acme.test' }, spf: { result: 'bounce.passes.acme.test' } },
  });
  expect(await askOpenDkim(message, await published(recordOf(made, 'dkim')))).toContain('succeeded');
});

test('the judges are no friends of ours: a changed message, another key and another server do not pass', async () => {
  const { message, email, made } = await receive('strict.acme.test', 'ok-strict@mbox.test');
  const changed = message.replace('<p>Hello</p>', '<p>Hallo</p>');
  const key = await published(recordOf(made, 'dkim'));
  const { dkim } = await judge(changed, email);
  expect(dkim.results[0]!.status.result).not.toBe('pass');
  expect(await askOpenDkim(changed, key)).toContain('failed');
  const otherKey = recordOf((await receive('other.acme.test', 'ok-other@mbox.test')).made, 'dkim').value;
  expect(await askOpenDkim(message, { ...key, value: otherKey })).toContain('failed');
  const elsewhere = await judge(message, email, '192.0.2.9');
  expect(elsewhere.spf).toMatchObject({ status: { result: 'fail' } });
  expect(elsewhere.dmarc).toMatchObject({ status: { result: 'pass' } }); // by DKIM alone
});

test('the unsubscribe fields and Feedback-ID are inside the signature, as the mailbox got it', async () => {
  const { raw } = await receive('fields.acme.test', 'ok-fields@mbox.test');
  const signed = /\bh=([^;]+);/.exec(raw)![1]!.replaceAll(/\s/g, '').split(':');
  expect(signed).toEqual(
    expect.arrayContaining(['from', 'list-unsubscribe', 'list-unsubscribe-post', 'feedback-id', 'list-id']),
  );
  expect(raw.match(/^DKIM-Signature:/gm)).toHaveLength(1);
  const read = await PostalMime.parse(raw);
  const header = new Map(read.headers.map(({ key, value }) => [key, value]));
  expect(header.get('list-unsubscribe')).toMatch(
    /^<https:\/\/rostrum\.test\/u\/[0-9a-z]{59}>,\s+<mailto:u-[0-9a-z]{59}@bounce\.mail\.test\?subject=unsubscribe>$/,
  );
  expect(header.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(header.get('feedback-id')).toMatch(/^0123456789ab:[0-9a-f]{12}:broadcast:rostrum$/);
  expect(header.get('return-path')).toMatch(/^<b-[0-9a-z]{59}@bounce\.fields\.acme\.test>$/);
});

test('text and html arrive as they were written: letters beyond ASCII, long lines, leading dots', async () => {
  const { raw, email } = await receive('body.acme.test', 'ok-body@mbox.test', longBody);
  const read = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  expect(read.html?.trimEnd()).toBe(longBody.html);
  expect(read.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(longBody.text.trimEnd());
  expect(read).toMatchObject({
    subject: email.subject,
    from: { name: 'Ærø & Søns', address: 'news@body.acme.test' },
    replyTo: [{ address: 'answers@body.acme.test' }],
    messageId: `<${email.messageId}>`,
  });
  expect(Math.max(...raw.split('\n').map(({ length }) => length))).toBeLessThan(500);
});

test.each([
  ['grey@mbox.test', 'deferred', '4.7.1'],
  ['full@mbox.test', 'deferred', '4.2.2'],
  ['policy@mbox.test', 'refused', '5.7.515'],
  ['nobody@mbox.test', 'refused', '5.1.1'],
  ['ok@elsewhere.test', 'refused', '5.7.1'],
])('a mailbox says what it thinks: %s is %s, %s', async (to, outcome, code) => {
  const email = anEmail({ to });
  expect(await smtp.send(email)).toMatchObject({ outcome, code, reply: expect.stringContaining(code) });
});

test('a greylisted message is taken when it comes again', async () => {
  const email = anEmail({ to: 'grey-again@mbox.test' });
  expect(await smtp.send(email)).toMatchObject({ outcome: 'deferred' });
  expect(await smtp.send(email)).toMatchObject({ outcome: 'sent' });
});

test('a server that signs gets the same message without our signature', async () => {
  const server = { host: '127.0.0.1', port: mail.port, tls: 'offered', connections: 1 } as const;
  const unsigned = smtpProvider({ ...server, isSigned: false });
  expect(await unsigned.send(anEmail({ to: 'ok-unsigned@mbox.test' }))).toMatchObject({ outcome: 'sent' });
  await unsigned.close();
  await smtp.send(anEmail({ to: 'ok-ours@mbox.test' }));
  const [theirs, ours] = await Promise.all(
    ['ok-unsigned@mbox.test', 'ok-ours@mbox.test'].map((to) => mail.messageTo(to)),
  );
  const [read, signed] = await Promise.all([PostalMime.parse(theirs!), PostalMime.parse(ours!)]);
  const names = ({ headers }: typeof read) =>
    headers.map(({ key }) => key).filter((key) => key !== 'dkim-signature');
  expect(theirs).not.toMatch(/^DKIM-Signature:/im);
  expect(ours).toMatch(/^DKIM-Signature:/im);
  expect([names(read), read.subject, read.html, read.text]).toEqual([
    names(signed),
    signed.subject,
    signed.html,
    signed.text,
  ]);
});

test('a key that cannot sign lets nothing out', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const dkim = { domain: 'acme.test', selector: 'r1', key: publicKey };
  const email = anEmail({ to: 'ok-unsigned@mbox.test', dkim });
  expect(await smtp.send(email)).toEqual({
    outcome: 'unreached',
    reply: expect.stringContaining('DKIM'),
  });
  // Mail takes its time into a mailbox: when one that went out later is there, this one would be too.
  await smtp.send(anEmail({ to: 'ok-signed@mbox.test' }));
  await mail.messageTo('ok-signed@mbox.test');
  expect((await mail.inbox()).filter((message) => message.includes(email.messageId))).toEqual([]);
});
