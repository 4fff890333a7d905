import pg from 'pg';
import { expect, test } from 'vitest';
import { laneStep } from '../../src/domain/broadcasts/sending/lane-step.ts';
import { noteReceipt } from '../../src/domain/delivery/inbound/note-receipt.ts';
import { beginSending, Patient, runParts } from '../support/lane.ts';
import { outcomesOf } from '../support/ledger.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { useWorld } from '../support/world.ts';
import { newStage } from './sending-setting.ts';
import { isOptedOut, newTextOrg, sentText } from './text-setting.ts';

const world = useWorld();

test('whoever told the provider to stop is opted out although they were merged before that was written down', async () => {
  const { org, webinar, people } = await newStage(world(), 1);
  const [[phone, reader]] = [...people] as [[string, string]];
  const survivor = await org.person({ email: 'reader@example.com' });
  const draft = { channel: 'sms', audience: 'webinar', webinar_id: webinar, message_body: 'Starts soon' };
  const { id, lane } = await beginSending(world(), org, draft);
  const provider = new Patient();
  const step = laneStep(runParts(world(), { text: provider }), lane(0), 1);
  await provider.has(1);
  // Waits for the hand-over, and comes before what is learned of it.
  const merging = org.rest('POST /v1/people/identify', { email: 'reader@example.com', phone });
  await expect.poll(() => lockWaits(world().admin)).toBe(1);
  provider.answerAll({ outcome: 'refused', code: '21610', reply: '400 21610', optedOut: true });
  expect((await merging).body.person_id).toBe(survivor);
  await step;
  expect(await outcomesOf(world(), id)).toEqual({ 'skipped opted_out': 1 });
  expect((await world().admin.query('select 1 from people where id = $1', [reader])).rows).toEqual([]);
  expect(await isOptedOut(org, survivor)).toBe(true);
});

test('whoever is merged while the receipt of their stop waits for them is opted out', async () => {
  const { org } = await newTextOrg(world());
  const phone = '+447911123456';
  const reader = await org.person({ phone });
  const survivor = await org.person({ email: 'reader@example.com' });
  const { delivery } = await sentText(world(), org, reader);
  const other = new pg.Client({ connectionString: world().databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select 1 from people where id = $1 for update', [reader]);
  const merging = org.rest('POST /v1/people/identify', { email: 'reader@example.com', phone });
  await expect.poll(() => lockWaits(world().admin)).toBe(1);
  const noting = noteReceipt(
    world().database,
    runParts(world(), {}),
    { org: org.id, delivery },
    { outcome: 'failed', bounceClass: 'soft', code: '21610', optedOut: true },
    { now: new Date(), requestId: 'a receipt' },
  );
  await expect.poll(() => lockWaits(world().admin)).toBe(2);
  await other.query('commit');
  await other.end();
  expect((await merging).body.person_id).toBe(survivor);
  await noting;
  expect(await isOptedOut(org, survivor)).toBe(true);
});
