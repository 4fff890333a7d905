import { expect, test } from 'vitest';
import { noteComplaint } from '../../../src/domain/delivery/inbound/note-complaint.ts';
import { unsubscribe } from '../../../src/domain/tracking/unsubscribe.ts';
import { inService } from '../../support/in-service.ts';
import { ledgerOf, outcomesOf } from '../../support/ledger.ts';
import { runParts } from '../../support/lane.ts';
import { ended, moveClock, useSending, scheduleEmail } from '../../support/sending.ts';
import { newSendingOrg } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();
const address = 'moved@example.com';

const send = async (org: TestOrg): Promise<string> => {
  const { id, sendAt } = await scheduleEmail(sending().world, org);
  await moveClock(org, sendAt + 4 * 3_600_000);
  expect((await ended(org, id)).status).toBe('sent');
  return id;
};

async function removeAddress(org: TestOrg, person: string): Promise<void> {
  const { identifiers } = (await org.rest(`GET /v1/people/${person}/identifiers`)).body;
  const { id } = identifiers.find((one: { identifier_type: string }) => one.identifier_type === 'email');
  expect((await org.rest(`DELETE /v1/people/${person}/identifiers/${id}`)).status).toBe(200);
}

/** Somebody who was written to and whose address went to somebody else since. */
async function moved(): Promise<{ org: TestOrg; delivery: number }> {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const before = await org.person({ email: address, external_user_id: 'before' });
  const [row] = await ledgerOf(world, await send(org));
  expect(row).toMatchObject({ person_id: before, state: 'sent' });
  await removeAddress(org, before);
  return { org, delivery: row!.id };
}

test('DEC-009 SND-008 who unsubscribes by a message to an address that is somebody else’s now takes it along', async () => {
  const { world } = sending();
  const { org, delivery } = await moved();
  await org.person({ email: address });
  const asked = { org: org.id, now: new Date(), requestId: 'a click', actor: 'unsubscribe' as const };
  await unsubscribe(world.database, runParts(world, {}), asked, { delivery, itself: true });
  expect(await outcomesOf(world, await send(org))).toEqual({ 'skipped opted_out': 1 });
});

test('DEC-009 SND-012 a complaint about an address that nobody had then is heard when somebody has it', async () => {
  const { world } = sending();
  const { org, delivery } = await moved();
  await inService(world, org, (work) => noteComplaint(work, { delivery }));
  await org.person({ email: address });
  expect(await outcomesOf(world, await send(org))).toEqual({ 'skipped complained': 1 });
});
