import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWebinar, register, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { holdPort } from '../../src/main/free-ports.ts';
import { expectBalanced, ledgerOf, type LedgerRow } from '../support/ledger.ts';
import { startMail, type Mail } from '../support/mail.ts';
import { clockOf, ended, moveClock, scheduleEmail, settled } from '../support/sending.ts';
import type { TestOrg } from '../support/test-org.ts';
import { openWorld, type World } from '../support/world.ts';
import { openMailbox, type LoggedMailbox } from './back-in.ts';

const minute = 60_000;
let mail: Mail;
let world: World;
let mailbox: LoggedMailbox;

beforeAll(async () => {
  const held = await holdPort();
  mail = await startMail({ bouncesTo: held.port });
  // Nobody answers there: what cannot be looked up takes no sender its standing.
  const env = { SMTP_URL: mail.url, DNS_SERVERS: '127.0.0.1:9' };
  world = await openWorld({ engine: true, env });
  await held.letGo();
  mailbox = await openMailbox(world, { port: held.port });
});
afterAll(async () => {
  await world?.close();
  await mailbox?.close();
  await mail?.stop();
});

/** A webinar's registrants, one for each address, and an email to them that goes out all at once. */
async function newBroadcast(
  org: TestOrg,
  addresses: readonly string[],
  fields: object = {},
  minutesAhead = 90,
) {
  const people = new Map<string, string>();
  const webinar_id = await newWebinar(world, org, {
    start_time: new Date(Date.now() + 240 * minute).toISOString(),
  });
  for (const address of addresses) {
    const person = await org.person({ email: address, first_name: 'Zoë' });
    people.set(address, person);
    await register(world, org, webinar_id, person);
  }
  const draft = { audience: 'webinar', webinar_id, ...fields };
  const scheduled = await scheduleEmail(world, org, draft, minutesAhead);
  /** The ledger by address. */
  const rows = async (): Promise<Record<string, LedgerRow>> => {
    const byPerson = new Map([...people].map(([address, person]) => [person, address]));
    return Object.fromEntries(
      (await ledgerOf(world, scheduled.id)).map((row) => [byPerson.get(row.person_id!)!, row]),
    );
  };
  return { ...scheduled, webinar_id, people, rows };
}

async function newOrg(...test_recipients: readonly string[]): Promise<TestOrg> {
  const org = await world.newOrg();
  await setLayout(org);
  expect((await org.rest('PATCH /v1/settings', { test_recipients })).status).toBe(200);
  return org;
}

const copiesTo = async (address: string): Promise<number> =>
  (await mail.inbox()).filter((message) => message.includes(`\nDelivered-To: ${address}\n`)).length;

test(
  'SND-011 each recipient of a broadcast ends up as their mailbox has it, and late bounces find their way back',
  { timeout: 300_000 },
  async () => {
    const org = await newOrg('@mbox.test', '@strict.test');
    const addresses = [
      'ok1@mbox.test',
      'ok2@mbox.test',
      'grey1@mbox.test',
      'full1@mbox.test',
      'nobody1@mbox.test',
      'late1@mbox.test',
      'policy1@strict.test',
      'real.person@example.com',
    ];
    const sender_id = await newSender(world, org, { email: 'news@acme.test' });
    const html = '<p>Hello {{var_name}}, <a href="https://example.com/offer">look</a></p>';
    const variables = {
      var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'you' },
    };
    const { id, sendAt, subject, people, rows } = await newBroadcast(org, addresses, {
      sender_id,
      html,
      variables,
    });
    await moveClock(org, sendAt);
    await settled(world, org);

    const first = await rows();
    const outcomes = (of: Record<string, LedgerRow>) =>
      Object.fromEntries(
        Object.entries(of).map(([address, { state, reason }]) => [address, reason ?? state]),
      );
    expect(outcomes(first)).toEqual({
      'ok1@mbox.test': 'sent',
      'ok2@mbox.test': 'sent',
      'grey1@mbox.test': 'pending',
      'full1@mbox.test': 'pending',
      'nobody1@mbox.test': 'bounced',
      'late1@mbox.test': 'sent',
      'policy1@strict.test': 'refused',
      'real.person@example.com': 'sent',
    });
    expect(first['grey1@mbox.test']!.history).toMatchObject([{ what: 'deferred', code: '4.7.1' }]);
    expect(first['full1@mbox.test']!.history).toMatchObject([{ what: 'deferred', code: '4.2.2' }]);

    // What is put off comes again; who is greylisted is in then, who is full is tried until the webinar begins.
    let tries = 1;
    for (; (await rows())['full1@mbox.test']!.state === 'pending'; tries++) {
      const { due_at } = (await rows())['full1@mbox.test']!;
      await moveClock(org, due_at.getTime() + 1);
      await expect
        .poll(async () => (await rows())['full1@mbox.test']!.attempts, { timeout: 60_000 })
        .toBe(tries + 1);
      await settled(world, org);
    }
    const last = await rows();
    expect(tries).toBe(9);
    expect(last['full1@mbox.test']).toMatchObject({ state: 'failed', reason: 'gave_up', attempts: tries });
    expect(last['grey1@mbox.test']).toMatchObject({ state: 'sent', attempts: 2 });
    expect(await ended(org, id)).toMatchObject({ status: 'sent' });

    // The late one was sent back to us by then, or soon.
    const bouncedOf = async (): Promise<Record<string, string>> => {
      const { rows: found } = await world.admin.query(
        `select person_id, bounce_class from deliveries where broadcast_id = $1 and bounced_at is not null`,
        [id],
      );
      const classes = new Map(found.map(({ person_id, bounce_class }) => [person_id, bounce_class]));
      return Object.fromEntries(
        [...people].flatMap(([to, person]) => (classes.has(person) ? [[to, classes.get(person)]] : [])),
      );
    };
    await expect.poll(bouncedOf, { timeout: 60_000 }).toEqual({
      'full1@mbox.test': 'soft',
      'nobody1@mbox.test': 'hard',
      'late1@mbox.test': 'hard',
      'policy1@strict.test': 'policy',
    });
    const { body: stats } = await org.rest(`GET /v1/broadcasts/${id}/stats`);
    expect(stats).toMatchObject({
      status: 'sent',
      balanced: true,
      totals: { recipients: 8, sent: 5, failed: 3, skipped: 0, uncertain: 0, pending: 0, bounced: 4 },
    });
    await expectBalanced(world, id);

    // Nobody got it twice, and nobody got it who was not to.
    for (const [address, times] of [
      ['ok1@mbox.test', 1],
      ['ok2@mbox.test', 1],
      ['grey1@mbox.test', 1],
    ] as const) {
      await expect.poll(() => copiesTo(address)).toBe(times);
    }
    expect((await mail.inbox()).length).toBe(3);

    // As the mailbox has it: signed, personal, its links and its unsubscribing ours.
    const raw = await mail.messageTo('grey1@mbox.test');
    const read = await PostalMime.parse(Buffer.from(raw, 'latin1'));
    expect(read).toMatchObject({
      subject,
      from: { address: 'news@acme.test' },
      to: [{ address: 'grey1@mbox.test' }],
    });
    expect(read.html).toContain('Hello Zoë');
    expect(read.html).toContain(`${world.url}/t/c/`);
    expect(read.html).not.toContain('example.com/offer');
    expect(read.text).toContain('Hello Zoë');
    expect(read.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toContain(`<${world.url}/u/`);
    const { rows: domains } = await world.admin.query(
      'select dkim_public_key from sending_domains where org_id = $1',
      [org.id],
    );
    const { results } = await dkimVerify(Buffer.from(raw.replaceAll('\n', '\r\n'), 'latin1'), {
      resolver: async () => [[`v=DKIM1; k=rsa; p=${domains[0].dkim_public_key}`]],
    });
    expect(results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([
      ['pass', 'acme.test'],
    ]);

    // Who bounced for good is not written to again, by any name; whom we are refused for, is.
    const next = await newBroadcast(
      org,
      ['nobody1@mbox.test', 'late1@mbox.test', 'full1@mbox.test', 'ok1@mbox.test'],
      {
        sender_id,
      },
    );
    await moveClock(org, next.sendAt);
    await settled(world, org);
    expect(outcomes(await next.rows())).toEqual({
      'nobody1@mbox.test': 'bounced',
      'late1@mbox.test': 'bounced',
      'full1@mbox.test': 'pending',
      'ok1@mbox.test': 'sent',
    });
    const skipped = (await org.rest(`GET /v1/broadcasts/${next.id}/stats`)).body.skipped;
    expect(skipped).toEqual([{ reason: 'bounced', count: 2 }]);
  },
);

test(
  'a domain that refuses us is left alone for an hour, the others are not',
  { timeout: 240_000 },
  async () => {
    const org = await newOrg('@mbox.test', '@strict.test');
    const refused = await newBroadcast(org, ['policy@strict.test']);
    const after = await newBroadcast(org, ['ok-strict@strict.test', 'ok-free@mbox.test'], {}, 120);
    await moveClock(org, refused.sendAt);
    expect(await ended(org, refused.id)).toMatchObject({ counts: { failed: 1 } });
    await moveClock(org, after.sendAt);
    await settled(world, org);
    expect((await after.rows())['ok-free@mbox.test']).toMatchObject({ state: 'sent' });
    const held = (await after.rows())['ok-strict@strict.test']!;
    expect(held).toMatchObject({ state: 'pending', attempts: 0 });
    expect((held.due_at.getTime() - refused.sendAt) / minute).toBeCloseTo(60, 0);
    await moveClock(org, held.due_at.getTime() + 1);
    await ended(org, after.id);
    expect((await after.rows())['ok-strict@strict.test']).toMatchObject({ state: 'sent', attempts: 1 });
    await expect.poll(() => copiesTo('ok-strict@strict.test')).toBe(1);
  },
);

test('a domain that asks for less gets one message a minute', { timeout: 240_000 }, async () => {
  const org = await newOrg('@slow.test');
  const addresses = [1, 2, 3, 4].map((n) => `busy${n}@slow.test`);
  const { id, sendAt, rows } = await newBroadcast(org, addresses);
  await moveClock(org, sendAt);
  await settled(world, org);
  const sent = async () => Object.values(await rows()).filter(({ state }) => state === 'sent').length;
  expect(Object.values(await rows()).map(({ state, attempts }) => [state, attempts])).toEqual(
    addresses.map(() => ['pending', 1]),
  );
  const times: number[] = [];
  for (let done = 0; done < 4; done++) {
    const waiting = Object.values(await rows()).filter(({ state }) => state === 'pending');
    times.push(Math.min(...waiting.map(({ due_at }) => due_at.getTime())));
    await moveClock(org, Math.max(times.at(-1)!, await clockOf(org)) + 1);
    await expect.poll(sent, { timeout: 60_000 }).toBeGreaterThan(done);
    await settled(world, org);
    expect(await sent()).toBe(done + 1);
  }
  expect((times[0]! - sendAt) / minute).toBeCloseTo(5, 0);
  expect(times.slice(1).every((time, at) => time - times[at]! >= minute)).toBe(true);
  expect(await ended(org, id)).toMatchObject({ status: 'sent', counts: { sent: 4 } });
});
