import { expect, test } from 'vitest';
import { requireBroadcast } from '../../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { prepareNext } from '../../../src/domain/broadcasts/sending/prepare-audience.ts';
import { readRun } from '../../../src/domain/broadcasts/sending/run.ts';
import type { BroadcastId } from '../../../src/kernel/ids.ts';
import { newDraft, newWebinar, setLayout } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
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

/** People by the thousand whom nobody writes to. */
const addPeople = (org: TestOrg, count: number) =>
  world().admin.query(
    `insert into people (org_id, id, created_at, updated_at) select $1, new_id(now()), now(), now() from generate_series(1, $2)`,
    [org.id, count],
  );

const begin = (id: string) =>
  world().admin.query(
    `update broadcasts set status = 'sending', send_at = now(), started_at = now(), paced_over_hours = 0 where id = $1`,
    [id],
  );

test('an audience of a webinar is cut by who is registered, not by how many people there are', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const sender_id = await newSender(world(), org);
  await addPeople(org, partSize);
  const registered = await org.person({ email: 'registered@example.com' });
  const webinar_id = await newWebinar(world(), org);
  const register = (people: string) =>
    world().admin.query(
      `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
       select org_id, new_id(now()), $2, id, now() from people where org_id = $1 and ${people}`,
      [org.id, webinar_id],
    );
  await register(`id = '${registered}'`);
  const draft = { audience: 'webinar', webinar_id, subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const few = await newDraft(org, draft);
  await begin(few.id);
  expect(await preparePart(org, few.id)).toBe(true);
  expect((await ledgerOf(world(), few.id)).map(({ person_id }) => person_id)).toEqual([registered]);

  await register(`id <> '${registered}'`);
  const many = await newDraft(org, draft);
  await begin(many.id);
  expect(await preparePart(org, many.id)).toBe(false);
  expect(await preparePart(org, many.id)).toBe(true);
  expect(await ledgerOf(world(), many.id)).toHaveLength(partSize + 1);
  await expectBalanced(world(), many.id);
});

test('who survived a merge with somebody of an earlier part of the audience is in the ledger once, and the others of the later part are too', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const loser = await org.person({ email: 'first@example.com' });
  await addPeople(org, partSize); // the part that the first is in ends with them
  const survivor = await org.person({ external_user_id: 'user 1', email: 'second@example.com' });
  const third = await org.person({ email: 'third@example.com' });
  expect([loser, survivor, third]).toEqual([loser, survivor, third].toSorted());
  const sender_id = await newSender(world(), org);
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id });
  await begin(id);
  const inLedger = async () => (await ledgerOf(world(), id)).map(({ person_id }) => person_id);
  expect(await preparePart(org, id)).toBe(false);
  expect(await inLedger()).toEqual([loser]);
  await org.person({ external_user_id: 'user 1', email: 'first@example.com' });
  expect(await inLedger()).toEqual([survivor]);
  expect(await preparePart(org, id)).toBe(true);
  expect(await inLedger()).toEqual([survivor, third]);
  await expectBalanced(world(), id);
});
