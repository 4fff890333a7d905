import { expect, test } from 'vitest';
import { releaseSending } from '../../src/database/held-sending.ts';
import { relayTransaction } from '../../src/database/org-transaction.ts';
import { laneStep } from '../../src/domain/broadcasts/sending/lane-step.ts';
import { addToMailings } from '../../src/domain/broadcasts/sending/mailing.ts';
import type { BroadcastId, PersonId } from '../../src/kernel/ids.ts';
import { inService } from '../support/in-service.ts';
import { runParts } from '../support/lane.ts';
import { outcomesOf } from '../support/ledger.ts';

import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import { dumpSending } from '../support/went-back.ts';
import { useWorld } from '../support/world.ts';
import { add, newMailing, rowOf } from './mailing-setting.ts';

const world = useWorld();

test('a run that comes to its message again in a database that went back does not get it twice', async () => {
  const org = await newSendingOrg(world());
  const [first, second, third] = [...(await newReaders(org, 3)).values()] as [string, string, string];
  const mailing = await newMailing(world(), org);
  let handed = 0;
  const email = {
    name: 'a count',
    close: async () => undefined,
    send: async () => ({ outcome: 'sent', reply: `250 ${(handed += 1)}` }) as const,
  };
  const parts = runParts(world(), { email });
  const step = async (broadcast: BroadcastId) => {
    const { rows } = await world().admin.query('select ticket::int from delivery_lanes where org_id = $1', [
      org.id,
    ]);
    await laneStep(parts, { org_id: org.id, lane: { broadcast, number: 0 } }, rows[0].ticket);
  };
  await add(world(), org, mailing, [first]);
  const id = (await rowOf(world(), mailing)).id as BroadcastId;
  await step(id);
  const goBack = await dumpSending(world(), org);
  const runs = await add(world(), org, mailing, [second]);
  await step(id);
  expect(handed).toBe(2);
  await goBack();
  await add(world(), org, mailing, [third]);
  await step(id); // finds that the second message is not known
  await relayTransaction(world().database, (db) => releaseSending(db, new Date()));
  await step(id);
  expect(handed).toBe(3);
  expect(await outcomesOf(world(), id)).toEqual({ sent: 2, 'uncertain record_lost': 1 });
  const to = [{ person_id: second as PersonId, run_id: runs.get(second)! }];
  await inService(world(), org, (work) => addToMailings(work, [{ mailing, to }]));
  await step(id);
  expect(handed).toBe(3);
  expect(await outcomesOf(world(), id)).toEqual({ sent: 2, 'uncertain record_lost': 1 });
});
