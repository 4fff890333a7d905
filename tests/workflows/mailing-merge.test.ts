import { expect, test } from 'vitest';
import { claimWindow } from '../../src/domain/delivery/ledger/ledger.ts';
import { settleWindow } from '../../src/domain/delivery/ledger/settle.ts';
import { skipMessagesOfRun } from '../../src/domain/people/merge/move-deliveries.ts';
import type { PersonId } from '../../src/kernel/ids.ts';
import { inService } from '../support/in-service.ts';
import { expectBalanced, ledgerOf } from '../support/ledger.ts';
import { useWorld } from '../support/world.ts';
import { add, newMailing, rowOf } from './mailing-setting.ts';

const world = useWorld();
const claim = '01900000-0000-7000-8000-000000000000';

/** Two people, each added to a mailing twice. */
async function newTwo() {
  const org = await world().newOrg();
  const [email, phone] = ['ann@example.com', '+15550100'];
  const survivor = await org.person({ email });
  const loser = await org.person({ phone });
  const mailing = await newMailing(world(), org);
  const runs: Map<string, string>[] = [];
  for (let round = 0; round < 2; round++) runs.push(await add(world(), org, mailing, [survivor, loser]));
  const { id } = await rowOf(world(), mailing);
  const merge = async () => expect(await org.person({ email, phone })).toBe(survivor);
  return { org, survivor, loser, mailing, runs, id, merge };
}

test('after a merge the messages of every occasion stand, each of them the survivor’s', async () => {
  const { survivor, id, merge } = await newTwo();
  await world().admin.query(
    `update deliveries set state = 'sent', sent_at = now()
     where id in (select min(id) from deliveries where broadcast_id = $1 group by person_id)`,
    [id],
  );
  await merge();
  const rows = await ledgerOf(world(), id);
  expect(rows.map(({ person_id, state }) => `${person_id} ${state}`)).toEqual([
    `${survivor} sent`,
    `${survivor} sent`,
    `${survivor} pending`,
    `${survivor} pending`,
  ]);
  const { rows: twins } = await world().admin.query(
    'select 1 from deliveries where broadcast_id = $1 and twin is not null',
    [id],
  );
  expect(twins).toEqual([]);
  await expectBalanced(world(), id);
});

test('of runs that end in a merge what was still to come is left out, and what is in hand does not come again', async () => {
  const { org, survivor, loser, runs, id, merge } = await newTwo();
  const ended = runs.map((run) => run.get(loser)!);
  // The first round is in hand when they become one.
  const claimed = await inService(world(), org, (work) =>
    claimWindow(work, { broadcast: id, lane: 0, claim, size: 2 }),
  );
  expect(claimed).toHaveLength(2);
  await merge();
  await inService(world(), org, (work) => skipMessagesOfRun(work, survivor as PersonId, ended));
  const outcomes = async () => {
    const { rows } = await world().admin.query(
      `select run_id = any($2) as ended, state, reason from deliveries where broadcast_id = $1
       order by occasion`,
      [id, ended],
    );
    return rows.map((row) => [row.ended, row.state, row.reason].join(' ').trim()).toSorted();
  };
  expect(await outcomes()).toEqual([
    'false pending',
    'false sending',
    'true sending',
    'true skipped duplicate_address',
  ]);
  await inService(world(), org, (work) =>
    settleWindow(
      work,
      claim,
      claimed!.map(({ id: delivery }) => ({ id: delivery, state: 'pending', untried: true })),
    ),
  );
  expect(await outcomes()).toEqual([
    'false pending',
    'false pending',
    'true skipped duplicate_address',
    'true skipped duplicate_address',
  ]);
  await expectBalanced(world(), id);
});

test('of a deleted person nothing waits in a mailing, and its totals stay', async () => {
  const { org, loser, id } = await newTwo();
  expect((await org.rest(`DELETE /v1/people/${loser}`)).status).toBe(200);
  const rows = await ledgerOf(world(), id);
  expect(rows.map(({ person_id, state, reason }) => [person_id === null, state, reason])).toEqual(
    rows.map(({ person_id }) =>
      person_id === null ? [true, 'skipped', 'deleted'] : [false, 'pending', null],
    ),
  );
  expect(rows.filter(({ person_id }) => person_id === null)).toHaveLength(2);
  await expectBalanced(world(), id);
});
