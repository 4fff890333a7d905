import { afterEach, expect, test } from 'vitest';
import { noteBounce } from '../../../src/domain/delivery/inbound/note-bounce.ts';
import { noteComplaint } from '../../../src/domain/delivery/inbound/note-complaint.ts';
import { newWebinar } from '../../support/broadcast.ts';
import { inService } from '../../support/in-service.ts';
import { expectBalanced, ledgerOf } from '../../support/ledger.ts';
import {
  ended,
  moveClock,
  receiversOf,
  settled,
  useSending,
  type Scheduled,
  scheduleEmail,
} from '../../support/sending.ts';
import { newReaders, newSendingOrg, registerAll } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();
const hours = 3 * 3_600_000;
afterEach(() => {
  sending().mail.refuse = () => undefined;
});

const optOut = async (
  org: TestOrg,
  person: string,
  said: Record<string, boolean> = { email_opt_out: true },
) => expect((await org.rest(`PATCH /v1/people/${person}/opt-outs`, said)).status).toBe(200);

/** Those whose turn in a list comes last, of these people: it does not come while a test looks around. */
async function lastInTurn({ id }: Scheduled, people: readonly string[], count: number): Promise<string[]> {
  const turns = new Map((await ledgerOf(sending().world, id)).map((row) => [row.person_id, row.due_at]));
  return people.toSorted((a, b) => Number(turns.get(b)) - Number(turns.get(a))).slice(0, count);
}

/** Who got it, and why the others did not, by their addresses. */
async function fateOf(
  org: TestOrg,
  { id, subject, sendAt }: Scheduled,
  readers: ReadonlyMap<string, string>,
) {
  const { world, mail } = sending();
  await moveClock(org, sendAt + hours);
  expect((await ended(org, id)).status).toBe('sent');
  await expectBalanced(world, id);
  const got = receiversOf(mail, subject);
  expect(got).toHaveLength(new Set(got).size);
  const rows = new Map((await ledgerOf(world, id)).map((row) => [row.person_id, row]));
  return Object.fromEntries(
    [...readers].map(([email, person]) => {
      const { state, reason } = rows.get(person) ?? { state: 'not there', reason: null };
      expect(got.includes(email)).toBe(state === 'sent');
      return [email.replace(/-.*/, ''), reason ?? state];
    }),
  );
}

test('SND-008 SND-010 whoever opted out of email at whatever time before their turn is left out, of texts alone is not', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 6);
  const [before, meanwhile, back, texts, ...others] = [...readers.values()];
  await optOut(org, before!);
  await optOut(org, back!);
  await optOut(org, texts!, { sms_opt_out: true });
  const scheduled = await scheduleEmail(world, org);
  await optOut(org, meanwhile!);
  await optOut(org, back!, { email_opt_out: false });
  // At its time, before anybody's turn but the very first.
  await moveClock(org, scheduled.sendAt);
  await settled(world, org);
  expect(await ledgerOf(world, scheduled.id)).toHaveLength(6);
  const [within] = await lastInTurn(scheduled, others, 1);
  await optOut(org, within!);
  expect(await fateOf(org, scheduled, readers)).toEqual({
    r0: 'opted_out',
    r1: 'opted_out',
    r2: 'sent',
    r3: 'sent',
    r4: within === others[0] ? 'opted_out' : 'sent',
    r5: within === others[0] ? 'sent' : 'opted_out',
  });
});

test('SND-008 a webinar broadcast leaves out who opted out a moment before its time', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 3);
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const scheduled = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  await optOut(org, [...readers.values()][1]!);
  expect(await fateOf(org, scheduled, readers)).toEqual({ r0: 'sent', r1: 'opted_out', r2: 'sent' });
});

test('SND-011 SND-012 whose address bounced and who complained are left out of what comes after', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 6);
  const emails = [...readers.keys()];
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const first = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  const refusals = new Map([
    [emails[0], { code: 550, text: '5.1.1 no such user' }], // refused at the door, for good
    [emails[1], { code: 550, text: '5.7.1 we do not know you' }], // our fault, not the person's
  ]);
  mail.refuse = (to) => refusals.get(to);
  expect(await fateOf(org, first, readers)).toMatchObject({ r0: 'bounced', r1: 'refused', r2: 'sent' });
  mail.refuse = () => undefined;
  const rows = new Map((await ledgerOf(world, first.id)).map((row) => [row.person_id, row.id]));
  const deliveryTo = (index: number) => rows.get([...readers.values()][index]!)!;
  await inService(world, org, (work) =>
    noteBounce(work, { delivery: deliveryTo(2), bounceClass: 'hard', code: '5.1.1' }),
  );
  await inService(world, org, (work) =>
    noteBounce(work, { delivery: deliveryTo(3), bounceClass: 'soft', code: '4.2.2' }),
  );
  await inService(world, org, (work) => noteComplaint(work, { delivery: deliveryTo(4) }));
  // By the time of the next, the domain that did not know us has had its rest.
  const second = await scheduleEmail(world, org, {}, 24 * 60);
  expect(await fateOf(org, second, readers)).toEqual({
    r0: 'bounced',
    r1: 'sent',
    r2: 'bounced',
    r3: 'sent',
    r4: 'complained',
    r5: 'sent',
  });
});

test('SND-011 SND-012 a bounce and a complaint that come before their turn leave them out of what is under way', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 4);
  const people = [...readers.values()];
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const first = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  const second = await scheduleEmail(world, org, {}, 300);
  await fateOf(org, first, readers);
  await moveClock(org, second.sendAt);
  await settled(world, org);
  expect(await ledgerOf(world, second.id)).toHaveLength(4);
  const [bounces, complains] = await lastInTurn(second, people, 2);
  const rows = new Map((await ledgerOf(world, first.id)).map((row) => [row.person_id, row.id]));
  await inService(world, org, (work) =>
    noteBounce(work, { delivery: rows.get(bounces!)!, bounceClass: 'hard' }),
  );
  await inService(world, org, (work) => noteComplaint(work, { delivery: rows.get(complains!)! }));
  const fates = new Map([
    [bounces, 'bounced'],
    [complains, 'complained'],
  ]);
  expect(await fateOf(org, second, readers)).toEqual(
    Object.fromEntries(people.map((person, at) => [`r${at}`, fates.get(person) ?? 'sent'])),
  );
});
