import { expect, test } from 'vitest';
import { laneStep } from '../../src/domain/broadcasts/sending/lane-step.ts';
import { noteReceipt, type ReceiptNews } from '../../src/domain/delivery/inbound/note-receipt.ts';
import { beginSending, Patient, runParts } from '../support/lane.ts';
import { expectBalanced, ledgerOf, outcomesOf } from '../support/ledger.ts';
import { readBroadcast } from '../support/sending.ts';
import { useWorld } from '../support/world.ts';
import { newStage, totalsOf } from './sending-setting.ts';
import { timelineOf } from './text-setting.ts';

const world = useWorld();

test('a text whose receipt came before whoever handed it over died was sent, and only the others are uncertain', async () => {
  const { org, webinar, people } = await newStage(world(), 3);
  const draft = { channel: 'sms', audience: 'webinar', webinar_id: webinar, message_body: 'Starts soon' };
  const { id, lane } = await beginSending(world(), org, draft);
  const [arrived, failed, unheard] = [...people.values()] as [string, string, string];
  const dying = new Patient();
  const parts = runParts(world(), { text: dying });
  const died = laneStep(parts, lane(0), 1); // not heard of for long
  await dying.has(3);
  const hear = async (person: string, news: ReceiptNews) => {
    const delivery = (await ledgerOf(world(), id)).find(({ person_id }) => person_id === person)!.id;
    const heard = { now: new Date(), requestId: 'a receipt' };
    await noteReceipt(world().database, parts, { org: org.id, delivery }, news, heard);
  };
  await hear(arrived, { outcome: 'delivered' });
  await hear(failed, { outcome: 'failed', bounceClass: 'soft', code: '30003' });

  const others = runParts(world(), { text: new Patient() });
  let next = await laneStep(others, lane(0), 1);
  for (let turn = 0; turn < 3 && next !== undefined; turn++)
    next = await laneStep(others, lane(0), next.ticket);
  expect((await readBroadcast(org, id)).status).toBe('sent');
  expect(await outcomesOf(world(), id)).toEqual({ sent: 2, 'uncertain interrupted': 1 });
  expect(await totalsOf(org, id)).toMatchObject({ sent: 2, uncertain: 1, delivered: 1, bounced: 1 });
  const timesSent = async () => {
    const counts: number[] = [];
    for (const person of [arrived, failed, unheard]) {
      const events = await timelineOf(org, person);
      counts.push(events.filter(({ event_name }) => event_name === '$svc_text_sent').length);
    }
    return counts;
  };
  expect(await timesSent()).toEqual([1, 1, 0]);
  await expectBalanced(world(), id);
  dying.answerAll(); // it was alive after all
  await died;
  expect(await outcomesOf(world(), id)).toEqual({ sent: 3 });
  expect(await timesSent()).toEqual([1, 1, 1]);
  await expectBalanced(world(), id);
});
