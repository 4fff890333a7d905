import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDelivery, began, newSending } from '../../support/arrange-ledger.ts';
import { newDraft } from '../../support/broadcast.ts';
import { problem, asProblem } from '../../support/problem.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const world = useWorld();

const list = (org: TestOrg, id: string, query = '') =>
  org.rest(`GET /v1/broadcasts/${id}/recipients${query}`);

/** Every page, one after another; each but the last is full. */
async function listAll(
  org: TestOrg,
  id: string,
  filters: Record<string, string>,
  limit: number,
): Promise<Json[]> {
  const all: Json[] = [];
  for (let cursor: string | null = null; ;) {
    const query = new URLSearchParams({
      ...filters,
      limit: String(limit),
      ...(cursor !== null && { cursor }),
    });
    const { status, body } = await list(org, id, `?${query.toString()}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['recipients', 'limit', 'next_cursor']);
    expect(body.limit).toBe(limit);
    all.push(...body.recipients);
    cursor = body.next_cursor;
    if (cursor === null) return all;
    expect(body.recipients).toHaveLength(limit);
  }
}

test('a recipient is shown by id, with where it ended up and when what happened, and by name only to whoever may read people', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  const person = await org.person({
    email: 'ann.secret@example.com',
    first_name: 'Annabel',
    phone: '+15550100',
  });
  const moments = {
    sent_at: '2026-03-02T09:10:00.000Z',
    delivered_at: '2026-03-02T09:11:00.000Z',
    opened_at: '2026-03-02T09:12:00.000Z',
    clicked_at: '2026-03-02T09:13:00.000Z',
    replied_at: '2026-03-02T09:13:30.000Z',
    bounced_at: '2026-03-02T09:14:00.000Z',
    complained_at: '2026-03-02T09:15:00.000Z',
    unsubscribed_at: '2026-03-02T09:16:00.000Z',
  };
  await addDelivery(world(), org, id, person, {
    state: 'sent',
    due_at: '2026-03-02T09:09:00.000Z',
    address: 'ann.secret@example.com',
    reply: '250 Annabel <ann.secret@example.com> ok',
    history: [{ at: began, what: 'deferred', reply: 'ann.secret@example.com is busy' }],
    ...moments,
  });
  const shown = {
    person_id: person,
    outcome: 'sent',
    reason: null,
    due_at: '2026-03-02T09:09:00.000Z',
    ...moments,
  };
  const blind = await world().newKey(org, ['broadcasts.read']);
  const { status, body } = await list(blind, id);
  expect(status).toBe(200);
  expect(body).toEqual({
    recipients: [{ ...shown, person: null }],
    limit: 50,
    next_cursor: null,
  });
  expect(JSON.stringify(body)).not.toMatch(/secret|Annabel|example\.com|5550100/);
  const named = {
    first_name: 'Annabel',
    last_name: null,
    primary_email: 'ann.secret@example.com',
    primary_phone: '+15550100',
  };
  expect((await list(org, id)).body.recipients).toEqual([{ ...shown, person: named }]);
});

const ends = [
  ['pending', null],
  ['sending', null],
  ['sent', null],
  ['uncertain', 'interrupted'],
  ['uncertain', 'no_answer'],
  ['failed', 'bounced'],
  ['failed', 'refused'],
  ['failed', 'gave_up'],
  ['skipped', 'opted_out'],
  ['skipped', 'bounced'],
  ['skipped', 'stopped'],
] as const;

const outcomeOf = (state: string) => (state === 'sending' ? 'pending' : state);

/** Recipients of every end, many of them due at the same moment or microseconds apart, some of them without a person. */
async function manyRecipients(): Promise<{
  org: TestOrg;
  id: string;
  rows: { state: string; reason: string | null }[];
}> {
  const org = await world().newOrg();
  const [id, other] = [await newSending(world(), org), await newSending(world(), org)];
  const rows: { state: string; reason: string | null }[] = [];
  for (let round = 0; round < 7; round++) {
    for (const [state, reason] of ends) {
      const due_at = `2026-03-02T09:00:00.00000${round % 3}Z`;
      await addDelivery(world(), org, id, randomUUID(), { state, reason, due_at });
      rows.push({ state, reason });
    }
  }
  await addDelivery(world(), org, id, null, { state: 'skipped', reason: 'deleted' });
  rows.push({ state: 'skipped', reason: 'deleted' });
  await addDelivery(world(), org, other, randomUUID(), { state: 'sent' });
  return { org, id, rows };
}

test('every filter gives exactly those it holds for, over pages of any size, nobody twice and nobody missing', async () => {
  const { org, id, rows } = await manyRecipients();
  const everybody = await listAll(org, id, {}, 200);
  expect(everybody).toHaveLength(rows.length);
  const outcomes = [undefined, 'sent', 'skipped', 'failed', 'uncertain', 'pending'];
  const reasons = [undefined, 'bounced', 'opted_out', 'gave_up', 'interrupted', 'deleted', 'no_address'];
  for (const outcome of outcomes) {
    for (const reason of reasons) {
      const filters = { ...(outcome !== undefined && { outcome }), ...(reason !== undefined && { reason }) };
      const holds = (one: { outcome: string; reason: string | null }) =>
        (outcome === undefined || one.outcome === outcome) && (reason === undefined || one.reason === reason);
      const wanted = rows.filter(({ state, reason: why }) =>
        holds({ outcome: outcomeOf(state), reason: why }),
      );
      for (const limit of [4, 200]) {
        const got = await listAll(org, id, filters, limit);
        expect({ filters, limit, count: got.length }).toEqual({ filters, limit, count: wanted.length });
        expect(got.every(holds)).toBe(true);
        const people = got.flatMap(({ person_id }) => person_id ?? []);
        expect(new Set(people).size).toBe(people.length);
        expect(got).toEqual(everybody.filter(holds)); // the same order everywhere
      }
    }
  }
});

test('those still to come are first, and within an end whoever was due first', async () => {
  const { org, id } = await manyRecipients();
  const all = await listAll(org, id, {}, 10);
  const order = [...new Set(all.map(({ outcome }) => outcome))];
  expect(order).toEqual(['pending', 'uncertain', 'sent', 'failed', 'skipped']);
  const sent = all.filter(({ outcome }) => outcome === 'sent').map(({ due_at }) => Date.parse(due_at));
  expect(sent).toEqual(sent.toSorted((one, other) => one - other));
});

test('whoever goes on while the list is read is met twice rather than never', async () => {
  const { org, id, rows } = await manyRecipients();
  const met = new Map<string, number>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await list(org, id, `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
    for (const { person_id } of body.recipients) met.set(person_id, (met.get(person_id) ?? 0) + 1);
    cursor = body.next_cursor;
    await world().admin.query(
      `update deliveries set state = 'sent' where id =
         (select id from deliveries where broadcast_id = $1 and state = 'pending' order by id desc limit 1)`,
      [id],
    );
  }
  expect(met.size).toBe(rows.length);
});

test('a cursor goes on with the question it came from, and with no other', async () => {
  const { org, id } = await manyRecipients();
  const stranger = await world().newOrg();
  const [other, theirs] = [await newSending(world(), org), await newSending(world(), stranger)];
  const { body } = await list(org, id, '?outcome=skipped&limit=2');
  const cursor = body.next_cursor;
  expect((await list(org, id, `?outcome=skipped&limit=5&cursor=${cursor}`)).status).toBe(200);
  expect((await list(org, id.toUpperCase(), `?outcome=skipped&cursor=${cursor}`)).status).toBe(200);
  const flipped = cursor.slice(0, 40) + (cursor[40] === 'A' ? 'B' : 'A') + cursor.slice(41);
  for (const [as, broadcast, query] of [
    [org, id, `?cursor=${cursor}`],
    [org, id, `?outcome=sent&cursor=${cursor}`],
    [org, id, `?outcome=skipped&reason=stopped&cursor=${cursor}`],
    [org, other, `?outcome=skipped&cursor=${cursor}`],
    [stranger, theirs, `?outcome=skipped&cursor=${cursor}`],
    [org, id, `?outcome=skipped&cursor=${flipped}`],
    [org, id, '?outcome=skipped&cursor=abc'],
    [org, id, `?outcome=skipped&cursor=${cursor}${cursor}`],
  ] as const) {
    const answer = await list(as, broadcast, query);
    expect(asProblem(answer)).toEqual(
      problem(400, 'invalid_request', `/v1/broadcasts/${broadcast}/recipients`),
    );
    expect(answer.body.errors).toMatchObject([{ pointer: '/cursor', code: 'invalid_value' }]);
  }
  expect(cursor).not.toContain(id); // nothing to read in it
});

test('filters take the known words only, and name them', async () => {
  const org = await world().newOrg();
  const { id } = await newDraft(org, { audience: 'everyone' });
  expect((await list(org, id)).body).toEqual({ recipients: [], limit: 50, next_cursor: null });
  for (const [query, pointer] of [
    ['?outcome=delivered', '/outcome'],
    ['?outcome=sending', '/outcome'],
    ['?reason=because', '/reason'],
  ] as const) {
    const { status, body } = await list(org, id, query);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { pointer, allowed: expect.arrayContaining(['bounced'].filter(() => pointer === '/reason')) },
    ]);
  }
  for (const query of ['?limit=0', '?limit=201', '?offset=1', '?cursor=']) {
    expect({ query, status: (await list(org, id, query)).status }).toEqual({ query, status: 400 });
  }
});
