import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDelivery, began, newSending } from '../../support/arrange-ledger.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { detailOf, explain, wordsOf } from './explain-ways.ts';

const world = useWorld();

const due_at = '2026-03-02T09:40:00.000Z';

async function arranged(fields: Record<string, unknown>, broadcast: Record<string, unknown> = {}) {
  const org = await world().newOrg();
  const id = await newSending(world(), org, broadcast);
  const person = await org.person({ email: `ann-${randomUUID().slice(0, 8)}@example.com` });
  await addDelivery(world(), org, id, person, { due_at, ...fields });
  return { org, id, person };
}

const explained = async (fields: Record<string, unknown>, broadcast: Record<string, unknown> = {}) => {
  const { org, id, person } = await arranged(fields, broadcast);
  return explain(org, id, person);
};

test('one who got it: from the audience over their turn to the last thing they did, in its order', async () => {
  const said = await explained({
    state: 'sent',
    attempts: 1,
    reply: '250 2.0.0 Ok: queued as 4F2A1',
    sent_at: '2026-03-02T09:40:01.000Z',
    delivered_at: '2026-03-02T09:40:05.000Z',
    opened_at: '2026-03-02T10:00:00.000Z',
    clicked_at: '2026-03-02T10:00:30.000Z',
    replied_at: '2026-03-02T10:05:00.000Z',
    unsubscribed_at: '2026-03-02T11:00:00.000Z',
  });
  expect(said.outcome).toBe('sent');
  expect(said.steps.map(({ at, what }: { at: string; what: string }) => [what, at])).toEqual([
    ['in_audience', began],
    ['due', due_at],
    ['sent', '2026-03-02T09:40:01.000Z'],
    ['delivered', '2026-03-02T09:40:05.000Z'],
    ['opened', '2026-03-02T10:00:00.000Z'],
    ['clicked', '2026-03-02T10:00:30.000Z'],
    ['replied', '2026-03-02T10:05:00.000Z'],
    ['unsubscribed', '2026-03-02T11:00:00.000Z'],
  ]);
  expect(detailOf(said, 'due')).toBe(
    `Their turn is set for ${due_at}: this broadcast goes out over 3 hours from ${began} on, and everybody has a place ` +
      'in them that was drawn once and stays.',
  );
  expect(detailOf(said, 'sent')).toContain('The answer was: “250 2.0.0 Ok: queued as 4F2A1”.');
  expect(said.summary).toBe(
    'It was handed over at 2026-03-02T09:40:01.000Z. They unsubscribed through it at 2026-03-02T11:00:00.000Z.',
  );
});

test('one who got it and of whom nothing was heard: that is said, not guessed', async () => {
  const said = await explained(
    { state: 'sent', attempts: 1, sent_at: due_at, due_at: began },
    { paced_over_hours: 0 },
  );
  expect(said.summary).toBe(
    `It was handed over at ${due_at}. Whether it arrived, was read or was lost on the way, nobody has reported.`,
  );
  expect(detailOf(said, 'due')).toContain('everybody gets this broadcast at once');
});

test('one that was put off, went, was delayed on its way and came back: every answer where it belongs, told once', async () => {
  const said = await explained({
    state: 'sent',
    attempts: 3,
    due_at: '2026-03-02T09:50:00.000Z',
    sent_at: '2026-03-02T09:50:02.000Z',
    bounced_at: '2026-03-02T13:00:00.000Z',
    bounce_class: 'hard',
    history: [
      { at: '2026-03-02T09:40:00.000Z', what: 'deferred', code: '4.7.1', reply: '451 4.7.1 Greylisted' },
      { at: '2026-03-02T09:45:00.000Z', what: 'deferred', code: '4.7.1' },
      { at: '2026-03-02T10:50:00.000Z', what: 'deferred', code: '4.4.1', reply: 'No answer from host' },
      { at: '2026-03-02T13:00:00.000Z', what: 'bounced', code: '5.1.1', reply: '550 5.1.1 No such user' },
    ],
  });
  expect(wordsOf(said)).toEqual([
    'in_audience',
    'deferred',
    'deferred',
    'due',
    'sent',
    'deferred',
    'bounced',
  ]);
  expect(said.steps[1].detail).toBe(
    'The other side put it off. Code 4.7.1. The answer was: “451 4.7.1 Greylisted”.',
  );
  expect(detailOf(said, 'due')).toBe('It was put off to 2026-03-02T09:50:00.000Z.');
  expect(detailOf(said, 'sent')).toBe('It was handed over and taken. It took 3 tries.');
  expect(said.summary).toContain('It came back at 2026-03-02T13:00:00.000Z.');
});

test.each([
  ['opted_out', 'they had opted out of email'],
  ['bounced', 'mail to their address had come back for good'],
  ['complained', 'they had reported a message as spam'],
  ['blacklisted', 'their address was on the blacklist'],
  ['no_address', 'they had no email address that may be written to'],
  ['invalid_address', 'their email address is not one that mail can be sent to'],
  ['duplicate_address', 'they were among the recipients twice, and one message is enough'],
  ['left_audience', 'they were no longer in the audience when their turn came'],
  ['deleted', 'the person was deleted or merged just when their turn came'],
  ['allowance_used_up', 'the allowance of the month was used up'],
  ['stopped', 'the broadcast was stopped before their turn came'],
])('one who was left out for %s: why, in words to read out', async (reason, words) => {
  const said = await explained({ state: 'skipped', reason });
  expect(said.outcome).toBe('skipped');
  expect(said.summary).toBe(`They did not get it: ${words}.`);
  expect(detailOf(said, 'skipped')).toBe(`They were left out: ${words}.`);
});

test('since when they have been suppressed is told while it is on record, and that it is not any more', async () => {
  const { org, id, person } = await arranged({ state: 'skipped', reason: 'opted_out' });
  expect(detailOf(await explain(org, id, person), 'no_longer_suppressed')).toContain('taken back since');
  await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
  await world().admin.query(`update opt_outs set updated_at = '2026-02-01T10:00:00Z' where person_id = $1`, [
    person,
  ]);
  const said = await explain(org, id, person);
  expect(said.steps[0]).toEqual({
    at: '2026-02-01T10:00:00.000Z',
    what: 'opted_out',
    detail: 'Their opt-out was last recorded then.',
  });
  // Whoever opts out while it is sent is left out when their turn comes.
  const meanwhile = '2026-03-02T09:30:00.000Z';
  await world().admin.query('update opt_outs set updated_at = $2 where person_id = $1', [person, meanwhile]);
  expect(wordsOf(await explain(org, id, person))).toEqual(['in_audience', 'opted_out', 'due', 'skipped']);

  const other = await arranged({ state: 'skipped', reason: 'complained' });
  await world().admin.query(
    `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
     values ($1, gen_random_uuid(), $2, 'ann@example.com', 'complained', '2026-01-05T10:00:00Z')`,
    [other.org.id, other.person],
  );
  expect((await explain(other.org, other.id, other.person)).steps[0]).toMatchObject({
    at: '2026-01-05T10:00:00.000Z',
    what: 'complained',
  });
});

test.each([
  [
    'failed',
    'bounced',
    'They did not get it: the other side said that their address does not exist or takes nothing.',
  ],
  [
    'failed',
    'refused',
    'They did not get it: the other side refused the message, though not for their address.',
  ],
  ['failed', 'gave_up', 'They did not get it: the other side put it off until it was too late to try again.'],
  [
    'uncertain',
    'interrupted',
    'They may have it or not: the service was interrupted while it handed the message over.',
  ],
  ['uncertain', 'no_answer', 'They may have it or not: the message was handed over and no answer came back.'],
  [
    'uncertain',
    'record_lost',
    'They may have it or not: the message was being handed over when the database lost its latest records.',
  ],
])('one that ended as %s (%s) is told honestly', async (state, reason, words) => {
  const said = await explained({ state, reason, attempts: 1, reply: '550 no' });
  expect(said.outcome).toBe(state);
  expect(said.summary).toContain(words);
  expect(detailOf(said, state)).toContain('“550 no”');
  expect(detailOf(said, state).includes('It is not sent again by itself')).toBe(state === 'uncertain');
});

test('one of whom nobody knows and who opened it all the same', async () => {
  const said = await explained({ state: 'uncertain', reason: 'no_answer', attempts: 1, opened_at: due_at });
  expect(wordsOf(said)).toEqual(['in_audience', 'due', 'uncertain', 'opened']);
  expect(said.summary).toContain(`They opened it at ${due_at}.`);
});

test('those still to come: when, that it is tried again, that it is in hand, or that it was stopped', async () => {
  expect((await explained({})).summary).toBe(`They do not have it yet: their turn is at ${due_at}.`);
  const later = '2026-03-02T10:00:00.000Z';
  const deferred = { attempts: 1, due_at: later, history: [{ at: due_at, what: 'deferred', code: '4.2.1' }] };
  const again = await explained(deferred);
  expect(again.outcome).toBe('pending');
  expect(again.summary).toBe(
    `They do not have it yet: the other side put it off, and it is tried again from ${later} on.`,
  );
  expect(wordsOf(again)).toEqual(['in_audience', 'deferred', 'due', 'waiting']);
  const inHand = await explained({ state: 'sending', attempts: 1 });
  expect(inHand).toMatchObject({ outcome: 'pending', summary: 'It is being handed over at this moment.' });
  expect((await explained({}, { status: 'stopped' })).summary).toContain('will not get it');
});

test('addresses and numbers in the words of others are masked, the mailbox alone as well; codes stay', async () => {
  const said = await explained({
    state: 'failed',
    reason: 'bounced',
    attempts: 1,
    address: 'Ann.Smith@Example.com',
    reply:
      '550 5.1.1 <ann.smith@example.com>: user ANN.SMITH unknown (rcpt ann.smith%40example.com, "ann x"@example.com)',
    history: [
      {
        at: due_at,
        what: 'refused',
        code: '5.1.1',
        reply: '21614 To +1 (555) 010-0199 or 15550100199 or 555-010-0199 is no mobile, 421 4.7.0 try later',
      },
    ],
  });
  const { broadcast_id: _, person_id: __, ...words } = said; // an id may hold any figures
  expect(JSON.stringify(words)).not.toMatch(/smith|example\.com|010|ann x/i);
  expect(detailOf(said, 'failed')).toContain('550 5.1.1 <[address]>: user [mailbox] unknown');
  expect(detailOf(said, 'refused')).toContain(
    '“21614 To [number] or [number] or [number] is no mobile, 421 4.7.0 try later”',
  );
});

test('texts are told as texts', async () => {
  const org = await world().newOrg();
  const person = await org.person({ phone: '+15550100' });
  const id = await newSending(world(), org);
  await world().admin.query(`update broadcasts set channel = 'sms' where id = $1`, [id]);
  await addDelivery(world(), org, id, person, { state: 'skipped', reason: 'opted_out' });
  expect((await explain(org, id, person)).summary).toBe('They did not get it: they had opted out of texts.');
});

test('a person who was merged is found where they went; one who was deleted or never was is not found', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  const ann = { email: 'ann@example.com', phone: '+15550100' };
  const survivor = await org.person({ email: ann.email });
  const loser = await org.person({ phone: ann.phone });
  const sent = { state: 'sent', attempts: 1, sent_at: due_at };
  await addDelivery(world(), org, id, survivor, sent);
  await addDelivery(world(), org, id, loser, { ...sent, opened_at: '2026-03-02T12:00:00Z' });
  await org.person(ann);
  const ask = (as: TestOrg, person: string) => as.rest(`GET /v1/broadcasts/${id}/recipients/${person}`);
  expect(await ask(org, loser)).toMatchObject({ status: 404, body: { merged_into: survivor } });
  const said = await explain(org, id, survivor);
  expect(wordsOf(said)).toEqual([
    'in_audience',
    'due',
    'sent',
    'merged',
    'in_audience',
    'due',
    'sent',
    'opened',
  ]);
  await org.rest(`DELETE /v1/people/${survivor}`);
  for (const person of [survivor, randomUUID()]) {
    expect(await ask(org, person)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});
