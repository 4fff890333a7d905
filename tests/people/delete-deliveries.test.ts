import { expect, test } from 'vitest';
import { addDelivery, began, newSending } from '../support/arrange-ledger.ts';
import { expectBalanced } from '../support/ledger.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const states = ['pending', 'sending', 'sent', 'skipped', 'failed', 'uncertain'] as const;
const personal = {
  address: 'ann@example.com',
  reply: '250 ann@example.com ok',
  history: [{ at: began, what: 'deferred', reply: 'ann@example.com is busy' }],
};

const remove = {
  rest: async (org: TestOrg, person: string) =>
    (await org.rest(`DELETE /v1/people/${person}`)).status === 200,
  tool: async (org: TestOrg, person_id: string) => !(await org.tool('delete_person', { person_id })).isError,
};

const totalsOf = async (org: TestOrg, id: string) => (await org.rest(`GET /v1/broadcasts/${id}/stats`)).body;

test.each(['rest', 'tool'] as const)(
  'a deleted person leaves the ledger over %s: every row stays, without the person and without a word about them',
  async (face) => {
    const org = await world().newOrg();
    const person = await org.person({ email: 'ann@example.com' });
    const other = await org.person({ email: 'ben@example.com' });
    const rows = new Map<string, number>();
    const broadcasts: string[] = [];
    for (const state of states) {
      const id = await newSending(world(), org);
      broadcasts.push(id);
      const reason = state === 'skipped' ? 'stopped' : state === 'failed' ? 'refused' : null;
      const fields = { state, reason, attempts: 1, receipt: 'SM1', opened_at: began, ...personal };
      rows.set(state, await addDelivery(world(), org, id, person, fields));
      await addDelivery(world(), org, id, other, { state, reason, ...personal });
    }
    const before = await Promise.all(broadcasts.map((id) => totalsOf(org, id)));
    expect(await remove[face](org, person)).toBe(true);

    const { rows: left } = await world().admin.query(
      `select id::float8, person_id, state, reason, address, reply, history, receipt, opened_at, twin::float8 from deliveries
       where id = any($1) order by id`,
      [[...rows.values()]],
    );
    expect(left).toEqual(
      [...rows].map(([state, id]) => ({
        id,
        person_id: null,
        state: state === 'pending' ? 'skipped' : state,
        reason:
          state === 'pending'
            ? 'deleted'
            : state === 'skipped'
              ? 'stopped'
              : state === 'failed'
                ? 'refused'
                : null,
        address: null,
        reply: null,
        history: [],
        receipt: 'SM1',
        opened_at: new Date(began),
        twin: null,
      })),
    );
    for (const [at, id] of broadcasts.entries()) {
      await expectBalanced(world(), id);
      const { totals, skipped, per_day } = await totalsOf(org, id);
      const wasPending = states[at] === 'pending';
      const moved = wasPending ? { pending: 1, skipped: 1 } : {};
      expect({ totals, per_day }).toEqual({
        totals: { ...before[at].totals, ...moved },
        per_day: before[at].per_day,
      });
      expect(skipped).toEqual(wasPending ? [{ reason: 'deleted', count: 1 }] : before[at].skipped);
    }
    const { rows: theirs } = await world().admin.query(
      `select count(*)::int as n from deliveries where person_id = $1 and address = 'ann@example.com'`,
      [other],
    );
    expect(theirs).toEqual([{ n: states.length }]);
  },
);

test('a person who may not be deleted keeps their place in the ledger', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  const id = await newSending(world(), org);
  await addDelivery(world(), org, id, person, personal);
  await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
  expect((await org.rest(`DELETE /v1/people/${person}`)).body.code).toBe('suppressed');
  const { rows } = await world().admin.query(
    'select person_id, state from deliveries where broadcast_id = $1',
    [id],
  );
  expect(rows).toEqual([{ person_id: person, state: 'pending' }]);
  expect((await org.rest(`DELETE /v1/people/${person}?drop_suppression=true`)).status).toBe(200);
  await expectBalanced(world(), id);
});

test('who is left behind by a merge is deleted with the person, too', async () => {
  const org = await world().newOrg();
  const ann = { email: 'ann@example.com', phone: '+15550100' };
  const survivor = await org.person({ email: ann.email });
  const loser = await org.person({ phone: ann.phone });
  const id = await newSending(world(), org);
  for (const person of [survivor, loser]) {
    await addDelivery(world(), org, id, person, { state: 'sent', sent_at: began, ...personal });
  }
  await org.person(ann);
  expect(await remove.rest(org, survivor)).toBe(true);
  const { rows } = await world().admin.query(
    `select 1 from deliveries where broadcast_id = $1
       and (person_id is not null or address is not null or reply is not null or history <> '[]')`,
    [id],
  );
  expect(rows).toEqual([]);
  await expectBalanced(world(), id);
});

test('the deletion of a broadcast that nobody received takes its ledger along, and is refused while anybody may', async () => {
  const org = await world().newOrg();
  const [id, other] = [await newSending(world(), org), await newSending(world(), org)];
  const remains = async (broadcast: string) =>
    (await world().admin.query('select 1 from deliveries where broadcast_id = $1', [broadcast])).rowCount;
  const row = await addDelivery(world(), org, id, null);
  await addDelivery(world(), org, id, null, { state: 'skipped', reason: 'opted_out' });
  await addDelivery(world(), org, other, null, { state: 'skipped', reason: 'opted_out' });
  const set = (fields: string) => world().admin.query(`update deliveries set ${fields} where id = ${row}`);
  const refusal = async () => (await org.rest(`DELETE /v1/broadcasts/${id}`)).body.code;
  await world().admin.query(`update broadcasts set status = 'stopped' where id = $1`, [id]);
  expect(await refusal()).toBe('sending_begun'); // one is still to be cleared up, and may be in hand
  await set(`state = 'uncertain'`);
  expect(await refusal()).toBe('already_received');
  await set(`state = 'sent', sent_at = now()`);
  expect(await refusal()).toBe('already_received');
  expect(await remains(id)).toBe(2);
  await set(`state = 'failed', reason = 'refused'`);
  expect((await org.rest(`DELETE /v1/broadcasts/${id}`)).body).toEqual({ deleted: true, broadcast_id: id });
  expect([await remains(id), await remains(other)]).toEqual([0, 1]);
  for (const table of ['broadcast_reasons', 'broadcast_tallies', 'delivery_lanes']) {
    const { rowCount } = await world().admin.query(`select 1 from ${table} where broadcast_id = $1`, [id]);
    expect(rowCount).toBe(0);
  }
});
