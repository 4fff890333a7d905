import { expect, test } from 'vitest';
import { ledgerOf, quietMoment } from '../../support/ledger.ts';
import { ended, moveClock, receiversOf, settled, useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();

const minute = 60_000;

async function setContactMethod(org: TestOrg, person_id: string, is_contact_method: boolean): Promise<void> {
  const { body } = await org.tool('list_identifiers', { person_id });
  const [email] = body.identifiers;
  expect(email.identifier_type).toBe('email');
  const changed = { person_id, identifier_id: email.id, is_contact_method };
  expect((await org.tool('update_identifier', changed)).isError).toBe(false);
}

test('IDF-002 nothing is sent to an identifier that is no contact method, also when it stops being one on the way', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const [never, meanwhile, always] = [
    await newReaders(org, 2),
    await newReaders(org, 4),
    await newReaders(org, 2),
  ];
  for (const person of never.values()) await setContactMethod(org, person, false);
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt);
  await settled(world, org);
  await moveClock(org, quietMoment(await ledgerOf(world, id), sendAt + 3 * minute));
  await settled(world, org);
  const waiting = (await ledgerOf(world, id)).filter(({ state }) => state === 'pending');
  const changing = [...meanwhile].filter(([, person]) =>
    waiting.some(({ person_id }) => person_id === person),
  );
  expect(changing.length).toBeGreaterThan(0); // hardly everybody's turn is at the very beginning
  for (const [, person] of changing) await setContactMethod(org, person, false);
  await moveClock(org, sendAt + 240 * minute);
  expect(await ended(org, id)).toMatchObject({ status: 'sent' });

  const unwanted = [...never, ...changing];
  const receivers = receiversOf(mail, subject);
  expect(unwanted.filter(([email]) => receivers.includes(email))).toEqual([]);
  expect(receivers).toEqual(expect.arrayContaining([...always.keys()]));
  expect(receivers).toHaveLength(8 - unwanted.length);
  const ends = new Map((await ledgerOf(world, id)).map(({ person_id, reason }) => [person_id, reason]));
  expect(unwanted.map(([, person]) => ends.get(person))).toEqual(unwanted.map(() => 'no_address'));
});
