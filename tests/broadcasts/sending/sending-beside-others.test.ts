import { expect, test } from 'vitest';
import { measured } from '../../support/measured.ts';
import {
  advanceClock,
  ended,
  moveClock,
  newReaders,
  newSendingOrg,
  receiversOf,
  scheduleEmail,
  useSending,
  type Scheduled,
} from '../../support/sending.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();
const others = 12;
const readers = 50;
const hours = 3_600;

/** People by the hundred, so that a slow mail server has work with them for as long as the test lasts. */
const manyReaders = (org: TestOrg, count: number) =>
  sending().world.admin.query(
    `with made as (
       insert into people (org_id, id, primary_email, primary_contact_method, created_at, updated_at)
       select $1, new_id(now()), 'p' || n || '@example.com', 'email', now(), now() from generate_series(1, $2::int) n
       returning org_id, id, primary_email)
     insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
     select org_id, new_id(now()), id, 'email', primary_email, true, true, now() from made`,
    [org.id, count],
  );

async function beginLarge(): Promise<string> {
  const { world } = sending();
  const org = await newSendingOrg(world);
  await manyReaders(org, 500);
  const { subject } = await scheduleEmail(world, org);
  await advanceClock(org, 6 * hours);
  return subject;
}

const fewestOfAny = (subjects: readonly string[]): number =>
  Math.min(...subjects.map((subject) => receiversOf(sending().mail, subject).length));

/** Lets its time come; answers how many messages of others the server took before its first and before its last. */
async function sendBeside(org: TestOrg, { id, subject, sendAt }: Scheduled) {
  const { mails } = sending().mail;
  const from = mails.length;
  await moveClock(org, sendAt + 4 * hours * 1_000); // past the time that it would be spread over
  const { counts } = await ended(org, id, 120_000);
  expect(counts).toMatchObject({ recipients: readers, sent: readers });
  const first = mails.findIndex((mail) => mail.subject === subject);
  const last = mails.findLastIndex((mail) => mail.subject === subject);
  return { beforeFirst: first - from, beforeLast: last - from - (readers - 1) };
}

test(
  'a broadcast to a few begins and is sent at once while large ones of many others are under way',
  { ...measured, timeout: 300_000 },
  async () => {
    const { world, mail } = sending();
    const org = await newSendingOrg(world);
    await newReaders(org, readers);
    const small = await scheduleEmail(world, org);
    const large = await Promise.all(Array.from({ length: others }, beginLarge));
    // All have had their first windows: what is under way is long work.
    const firstWindows = { timeout: 120_000, interval: 100 };
    await expect.poll(() => fewestOfAny(large), firstWindows).toBeGreaterThanOrEqual(64);
    mail.thinkMs = () => 100;
    const slowFrom = mail.mails.length + 50;
    await expect.poll(() => mail.mails.length, { timeout: 60_000 }).toBeGreaterThan(slowFrom);
    // Ten connections make at most a hundred messages a second: it begins within two seconds and is sent within five.
    const { beforeFirst, beforeLast } = await sendBeside(org, small);
    expect(beforeFirst).toBeLessThan(200);
    expect(beforeLast).toBeLessThan(450);
  },
);
