import { expect, test } from 'vitest';
import { plan } from '../support/broadcast.ts';
import { useWorld } from '../support/world.ts';
import { mail, newSent, stateOf, useMailbox, type Sent } from './back-in.ts';
import { sampleOf, type samples } from './dsn-samples.ts';

const world = useWorld();
const mailbox = useMailbox(world);

const bounce = (sent: Sent, sample: keyof typeof samples): Promise<string> =>
  mail(mailbox().port, sent.returnPath, sampleOf(sample, sent));

test.each(['postfix', 'exim', 'exchange', 'gmail', 'qmail'] as const)(
  'a hard bounce from %s ends writing to that address',
  async (sample) => {
    const org = await world().newOrg();
    const sent = await newSent(world(), org);
    expect(await bounce(sent, sample)).toMatch(/^250 /);
    const { row, totals, blacklist, events, audit } = await stateOf(world(), sent);
    expect(row).toMatchObject({ state: 'sent', bounce_class: 'hard', bounced_at: expect.any(Date) });
    expect(row.history).toEqual([
      { at: expect.any(String), what: 'bounced', code: expect.any(String), reply: expect.any(String) },
    ]);
    expect(totals).toMatchObject({ bounced: 1, delivered: 0 });
    expect(blacklist).toEqual([{ person_id: sent.person, email: sent.to, reason: 'bounced' }]);
    const about = { broadcast_id: sent.broadcast, class: 'hard', code: row.history[0].code };
    expect(events).toEqual([{ name: '$svc_email_bounced', custom_properties: about }]);
    expect(audit).toEqual([
      {
        operation: 'note_bounced',
        actor_kind: 'service',
        actor_id: 'mailbox',
        ids: {
          delivery_id: String(sent.delivery),
          broadcast_id: sent.broadcast,
          person_id: sent.person,
          blacklisted_person_ids: [sent.person],
        },
      },
    ]);
  },
);

test('PLN-017 whoever bounced hard is excluded from the next plan, for that reason', async () => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  expect((await plan(org, sent.broadcast)).audience).toMatchObject({
    recipients: 1,
    reachable: 1,
    excluded: [],
  });
  await bounce(sent, 'postfix');
  expect((await plan(org, sent.broadcast)).audience).toMatchObject({
    recipients: 1,
    reachable: 0,
    excluded: [{ reason: 'bounced', count: 1 }],
  });
});

test('the same bounce twice changes nothing the second time', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await bounce(sent, 'postfix');
  const once = await stateOf(world(), sent);
  expect(await bounce(sent, 'postfix')).toMatch(/^250 /);
  expect(await bounce(sent, 'postfixFull')).toMatch(/^250 /);
  expect(await stateOf(world(), sent)).toEqual(once);
});

test('many copies of a bounce at once count as one', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const answers = await Promise.all(Array.from({ length: 8 }, () => bounce(sent, 'postfix')));
  expect(answers.every((answer) => answer.startsWith('250'))).toBe(true);
  const { row, totals, events, audit } = await stateOf(world(), sent);
  expect([row.history.length, totals.bounced, events.length, audit.length]).toEqual([1, 1, 1, 1]);
});

test.each(['ada-lovelace', 'a.b+c', 'x_(y)', 'ada/b*c', 'é-é'])(
  'what a server said about the mailbox %s is told without its name',
  async (local) => {
    const org = await world().newOrg();
    const sent = await newSent(world(), org, {
      to: `${local}@receiver.test`,
      person: await org.person({ external_user_id: 'x' }),
    });
    const said = sampleOf('postfix', sent).replace('550 5.1.1', `550 5.1.1 user ${local} is`);
    await mail(mailbox().port, sent.returnPath, said);
    const { status, body } = await org.rest(`GET /v1/broadcasts/${sent.broadcast}/recipients/${sent.person}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('[mailbox]');
    expect(JSON.stringify(body)).not.toContain(local);
  },
);

test('a refusal for our sake is noted, and the address stays good', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await bounce(sent, 'postfixPolicy');
  const { row, blacklist, events } = await stateOf(world(), sent);
  expect(row.bounce_class).toBe('policy');
  expect(events[0].custom_properties).toMatchObject({ class: 'policy', code: '5.7.515' });
  expect(blacklist).toEqual([]);
});

test('a soft bounce that turns out hard is believed', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await bounce(sent, 'postfixFull');
  const soft = await stateOf(world(), sent);
  expect([soft.row.bounce_class, soft.blacklist]).toEqual(['soft', []]);
  await bounce(sent, 'postfix');
  const { row, totals, blacklist } = await stateOf(world(), sent);
  expect(row).toMatchObject({ bounce_class: 'hard', bounced_at: soft.row.bounced_at });
  expect([row.history.length, totals.bounced, blacklist.length]).toEqual([2, 1, 1]);
});

test('a message that is only late is history, once, and no bounce', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await bounce(sent, 'postfixDelayed');
  await bounce(sent, 'postfixDelayed');
  const { row, events, blacklist } = await stateOf(world(), sent);
  expect(row).toMatchObject({ bounced_at: null, bounce_class: null });
  expect(row.history).toEqual([
    { at: expect.any(String), what: 'deferred', code: '4.2.2', reply: '452 4.2.2 mailbox full, try later' },
  ]);
  expect([events, blacklist]).toEqual([[], []]);
});

test('a report of success says that it was delivered', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await bounce(sent, 'postfixDelivered');
  const { row, totals, blacklist } = await stateOf(world(), sent);
  expect(row).toMatchObject({ delivered_at: expect.any(Date), bounced_at: null });
  expect([totals.delivered, blacklist]).toEqual([1, []]);
});

test.each(['vacation', 'qmailSilent'] as const)(
  'what says nothing (%s) is taken and forgotten',
  async (sample) => {
    const sent = await newSent(world(), await world().newOrg());
    const before = await stateOf(world(), sent);
    expect(await bounce(sent, sample)).toMatch(/^250 /);
    expect(await stateOf(world(), sent)).toEqual(before);
  },
);

test('of a person who is gone only the ledger hears, without the words of others', async () => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  expect((await org.rest(`DELETE /v1/people/${sent.person}`)).status).toBe(200);
  expect(await bounce(sent, 'postfix')).toMatch(/^250 /);
  const { row, totals, blacklist } = await stateOf(world(), sent);
  expect(row).toMatchObject({ bounce_class: 'hard', bounced_at: expect.any(Date) });
  expect(row.history).toEqual([{ at: expect.any(String), what: 'bounced', code: '5.1.1' }]);
  expect([totals.bounced, blacklist]).toEqual([1, []]);
});

test('an address that went to somebody else since is blacklisted for both', async () => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  const { identifiers } = (await org.rest(`GET /v1/people/${sent.person}/identifiers`)).body;
  await org.person({ external_user_id: 'stays' });
  expect((await org.rest(`DELETE /v1/people/${sent.person}/identifiers/${identifiers[0].id}`)).status).toBe(
    200,
  );
  const heir = await org.person({ email: sent.to });
  expect(heir).not.toBe(sent.person);
  await bounce(sent, 'postfix');
  const { blacklist } = await stateOf(world(), sent);
  expect(
    blacklist.map(({ person_id, email }: { person_id: string; email: string }) => [person_id, email]),
  ).toEqual([sent.person, heir].toSorted().map((id) => [id, sent.to]));
});

test('words that no database takes are kept as far as they can be', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const hostile = sampleOf('postfix', sent).replace(
    'Recipient address rejected',
    `\u0000\u0007 rejected ${'😀'.repeat(400)}`,
  );
  expect(await mail(mailbox().port, sent.returnPath, hostile)).toMatch(/^250 /);
  const { row } = await stateOf(world(), sent);
  expect(row.history[0].reply).toMatch(/^550 5\.1\.1 .* rejected /);
  expect(row.history[0].reply.length).toBeLessThanOrEqual(500);
});

test('a history has an end', async () => {
  const sent = await newSent(world(), await world().newOrg());
  // What came before, by hand: each mail takes its time.
  const earlier = Array.from({ length: 45 }, (_, code) => ({
    at: new Date().toISOString(),
    what: 'deferred',
    code: `4.8.${code}`,
    reply: 'full',
  }));
  await world().admin.query('update deliveries set history = $2 where id = $1', [
    sent.delivery,
    JSON.stringify(earlier),
  ]);
  for (let code = 0; code < 9; code++) {
    const delayed = sampleOf('postfixDelayed', sent).replace('Status: 4.2.2', `Status: 4.9.${code}`);
    await mail(mailbox().port, sent.returnPath, delayed);
  }
  expect((await stateOf(world(), sent)).row.history).toHaveLength(50);
});
