import { expect, test } from 'vitest';
import { requireBroadcast } from '../../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { prepareNext } from '../../../src/domain/broadcasts/sending/prepare-audience.ts';
import { readRun } from '../../../src/domain/broadcasts/sending/run.ts';
import type { BroadcastId } from '../../../src/kernel/ids.ts';
import { newDraft, newSender, setLayout } from '../../support/broadcast.ts';
import { inService } from '../../support/in-service.ts';
import { expectBalanced, ledgerOf } from '../../support/ledger.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { always } from '../../support/providers.ts';

const world = useWorld();
const partSize = 20_000;

/** As a lane does it, one part a transaction. Answers whether it was the last. */
const preparePart = (org: TestOrg, id: string): Promise<boolean | undefined> =>
  inService(world(), org, async (work) => {
    const row = await requireBroadcast(work, id as BroadcastId, 'lock');
    const read = await readRun(work, row, always());
    if ('problem' in read) throw new Error(read.problem);
    return prepareNext(work, read.run);
  });

test('who survived a merge with somebody of an earlier part of the audience is in the ledger once, and the others of the later part are too', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const loser = await org.person({ email: 'first@example.com' });
  // People by the thousand whom nobody writes to: the part that the first is in ends with them.
  await world().admin.query(
    `insert into people (org_id, id, created_at, updated_at) select $1, new_id(now()), now(), now() from generate_series(1, $2)`,
    [org.id, partSize],
  );
  const survivor = await org.person({ external_user_id: 'user 1', email: 'second@example.com' });
  const third = await org.person({ email: 'third@example.com' });
  expect([loser, survivor, third]).toEqual([loser, survivor, third].toSorted());
  const sender_id = await newSender(world(), org);
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id });
  await world().admin.query(
    `update broadcasts set status = 'sending', send_at = now(), started_at = now(), paced_over_hours = 0 where id = $1`,
    [id],
  );
  const inLedger = async () => (await ledgerOf(world(), id)).map(({ person_id }) => person_id);
  expect(await preparePart(org, id)).toBe(false);
  expect(await inLedger()).toEqual([loser]);
  await org.person({ external_user_id: 'user 1', email: 'first@example.com' });
  expect(await inLedger()).toEqual([survivor]);
  expect(await preparePart(org, id)).toBe(true);
  expect(await inLedger()).toEqual([survivor, third]);
  await expectBalanced(world(), id);
});
