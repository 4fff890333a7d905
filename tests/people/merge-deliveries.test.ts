import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { settleWindow } from '../../src/domain/delivery/ledger/settle.ts';
import { addDelivery, began, newSending, setDelivery } from '../support/arrange-ledger.ts';
import { inService } from '../support/in-service.ts';
import { expectBalanced } from '../support/ledger.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const states = ['pending', 'sending', 'sent', 'skipped', 'failed', 'uncertain'] as const;
type State = (typeof states)[number];

const personal = { address: 'ann@example.com', reply: '250 ok', history: [{ at: began, what: 'deferred' }] };

async function twoPeople(org: TestOrg) {
  const [email, phone] = ['ann@example.com', '+15550100'];
  const survivor = await org.person({ email });
  const loser = await org.person({ phone });
  const merge = async () => expect(await org.person({ email, phone })).toBe(survivor);
  return { survivor, loser, merge };
}

const add = (org: TestOrg, id: string, person: string, state: State) =>
  addDelivery(world(), org, id, person, {
    state,
    reason: state === 'skipped' ? 'opted_out' : null,
    ...(state === 'sent' && { sent_at: began }),
    ...personal,
  });

async function rowOf(id: number) {
  const { rows } = await world().admin.query(
    `select person_id, state, reason, address, reply, history, twin is not null as is_twin from deliveries where id = $1`,
    [id],
  );
  return rows[0];
}

test.each(states)('a row in the state %s changes hands as it is', async (state) => {
  const org = await world().newOrg();
  const { survivor, loser, merge } = await twoPeople(org);
  const id = await newSending(world(), org);
  const row = await add(org, id, loser, state);
  const before = await rowOf(row);
  await merge();
  expect(await rowOf(row)).toEqual({ ...before, person_id: survivor });
  await expectBalanced(world(), id);
});

/** Which of two rows in one broadcast stands for the person afterwards; the other one is behind it, or left out. */
const rank: Record<State, number> = { sent: 1, uncertain: 2, sending: 3, pending: 4, skipped: 5, failed: 5 };
const pairs = states.flatMap((ofSurvivor) =>
  states
    // In the gate a third: each state with two others, on either side.
    .filter((_, at) => isLong || (at + states.indexOf(ofSurvivor)) % 3 === 0)
    .map((ofLoser) => ({ ofSurvivor, ofLoser, loserStands: rank[ofLoser] < rank[ofSurvivor] })),
);

test.each(pairs)(
  'both were recipients, the survivor $ofSurvivor and the other $ofLoser: the one that tells most stands',
  async ({ ofSurvivor, ofLoser, loserStands }) => {
    const org = await world().newOrg();
    const { survivor, loser, merge } = await twoPeople(org);
    const id = await newSending(world(), org);
    const [own, others] = [await add(org, id, survivor, ofSurvivor), await add(org, id, loser, ofLoser)];
    const [standing, behind, behindState] = loserStands ? [others, own, ofSurvivor] : [own, others, ofLoser];
    const [stood, was] = [await rowOf(standing), await rowOf(behind)];
    await merge();
    expect(await rowOf(standing)).toEqual({ ...stood, person_id: survivor });
    expect(await rowOf(behind)).toEqual(
      behindState === 'pending'
        ? {
            person_id: null,
            state: 'skipped',
            reason: 'duplicate_address',
            address: null,
            reply: null,
            history: [],
            is_twin: false,
          }
        : { ...was, person_id: survivor, is_twin: true },
    );
    await expectBalanced(world(), id);
    const { body } = await org.rest(`GET /v1/broadcasts/${id}/stats`);
    expect(body.totals.recipients).toBe(2);
  },
);

test('several people merged at once leave one row that stands, and the others behind it', async () => {
  const org = await world().newOrg();
  const ids = { external_user_id: 'u-1', email: 'ann@example.com', anonymous_id: 'a-1', phone: '+15550100' };
  const people: string[] = [];
  for (const [field, value] of Object.entries(ids)) people.push(await org.person({ [field]: value }));
  const [one, other] = [await newSending(world(), org), await newSending(world(), org)];
  for (const person of people.slice(1)) await add(org, one, person, 'sent');
  for (const person of people) await add(org, other, person, 'pending');
  const survivor = await org.person(ids);
  expect(survivor).toBe(people[0]);
  const { rows } = await world().admin.query(
    `select broadcast_id, person_id, state, count(*)::int as count, count(*) filter (where twin is null)::int as standing
     from deliveries where org_id = $1 group by 1, 2, 3 order by state`,
    [org.id],
  );
  expect(rows).toEqual([
    { broadcast_id: other, person_id: survivor, state: 'pending', count: 1, standing: 1 },
    { broadcast_id: one, person_id: survivor, state: 'sent', count: 3, standing: 1 },
    { broadcast_id: other, person_id: null, state: 'skipped', count: 3, standing: 3 },
  ]);
  for (const id of [one, other]) await expectBalanced(world(), id);
});

test('a message in hand behind one that was sent never waits to be sent again', async () => {
  const org = await world().newOrg();
  const { survivor, loser, merge } = await twoPeople(org);
  const id = await newSending(world(), org);
  await add(org, id, survivor, 'sent');
  const inHand = await add(org, id, loser, 'sending');
  await merge();
  const claim = randomUUID();
  await setDelivery(world(), inHand, { claim });
  await inService(world(), org, (work) =>
    settleWindow(work, claim, [{ id: inHand, state: 'pending', due_at: work.now }]),
  );
  expect(await rowOf(inHand)).toMatchObject({
    person_id: survivor,
    state: 'skipped',
    reason: 'duplicate_address',
  });
  await expectBalanced(world(), id);
});

test('what is still to come for a merged person stays with the one whom the suppression of either now holds back', async () => {
  const org = await world().newOrg();
  const { survivor, loser, merge } = await twoPeople(org);
  const id = await newSending(world(), org);
  await add(org, id, survivor, 'pending');
  await org.rest(`PATCH /v1/people/${loser}/opt-outs`, { email_opt_out: true });
  await merge();
  expect((await org.tool('get_opt_outs', { person_id: survivor })).body.opt_outs.email_opt_out).toBe(true);
  const { rows } = await world().admin.query(
    'select person_id, state from deliveries where broadcast_id = $1',
    [id],
  );
  expect(rows).toEqual([{ person_id: survivor, state: 'pending' }]); // left out when its turn comes
});
