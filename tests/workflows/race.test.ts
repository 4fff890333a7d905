import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Random } from '../segments/random.ts';

import { newSender } from '../support/sender-row.ts';
import { emailNode, inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';
import { clockOf, receiversOf, useSending } from '../support/sending.ts';
import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong, seed } from '../support/volume.ts';
import { hour, offsetOf, remindsAfter, waits, wrongCounts, wrongSteps, type Path } from './race-judge.ts';
import { installWitness, readSightings, removeWitness } from './race-witness.ts';

const sending = useSending();
const second = 1_000;
const random = new Random(seed);
const crowd = isLong ? 240 : 72;

async function newCourse(org: TestOrg, ahead: number): Promise<string> {
  const start_time = new Date((await clockOf(org)) + ahead).toISOString();
  const { status, body } = await org.rest('POST /v1/webinars', {
    webinar: { title: 'On the move', start_time },
  });
  expect(status).toBe(201);
  return body.webinar.id;
}

async function enter(org: TestOrg, webinar_id: string, email: string): Promise<void> {
  const { status, body } = await org.rest('POST /v1/webinars/register', { webinar_id, user: { email } });
  if (status !== 200) throw new Error(`register answered ${status}: ${JSON.stringify(body)}`);
}

/** Some at a time, in the order given. */
async function each<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await act(item);
    }),
  );
}

async function readPaths(webinar: string): Promise<Path[]> {
  const { rows } = await sending().world.admin.query<Path>(
    `select r.id, p.primary_email as email, r.outcome, r.path, extract(epoch from r.started_at) * 1000 as began
     from workflow_runs r join people p on p.org_id = r.org_id and p.id = r.person_id where r.webinar_id = $1`,
    [webinar],
  );
  return rows.map((row) => ({ ...row, began: Number(row.began) }));
}

test('ten rounds of reschedules while runs are released and people register: each wait ends by the start that held then, each reminder goes out once, and every count is exact', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = [...(await newReaders(org, crowd)).keys()];
  const known = readers.slice(0, (2 * crowd) / 3);
  const late = readers.slice((2 * crowd) / 3);
  const webinar = await newCourse(org, 26 * hour);
  const subject = `Reminder ${randomUUID()}`;
  const reminder = await emailNode(world, org, 'remind', { sender_id: await newSender(world, org) });
  const nodes = Array.from({ length: waits }, (_, index) => [
    {
      id: `wait_${index}`,
      type: 'wait',
      anchor: 'start',
      offset_minutes: offsetOf(index) / 60_000,
      // Whoever is too late for a reminder goes on to the next wait, or to the end.
      ...(remindsAfter(index) && { past: index + 1 < waits ? `wait_${index + 1}` : 'done' }),
    },
    ...(remindsAfter(index) ? [{ ...reminder, id: `remind_${index}`, subject: `${subject} ${index}` }] : []),
  ]).flat();
  await liveWorkflow(org, inLine(onRegistration(webinar), ...nodes));
  await installWitness(world, org.id, webinar);

  await each(known, 8, (email) => enter(org, webinar, email));
  // The first wait ends in three seconds, the last but one in nine; meanwhile it is moved to and fro, and people register.
  const base = (await clockOf(org)) + hour + 3 * second;
  const answers = new Map<number, number>();
  const move = async (start: number) => {
    const start_time = new Date(start).toISOString();
    const { status, body } = await org.rest('POST /v1/webinars/reschedule', {
      webinar_id: webinar,
      start_time,
    });
    expect(status).toBe(200);
    answers.set(start, body.recomputed);
  };
  await move(base);
  const moving = async () => {
    for (let round = 1; round <= 10; round++) {
      await pause(300 + random.next() * 500);
      // Each start is another one, by which it can be told apart; every other time two meet.
      const shifted = () => base + Math.floor((random.next() - 0.4) * 3 * second);
      const starts = new Set(round % 2 === 0 ? [shifted(), shifted()] : [shifted()]);
      await Promise.all([...starts].filter((start) => !answers.has(start)).map(move));
    }
  };
  const registering = each(late, 2, async (email) => {
    await enter(org, webinar, email);
    // However many there are, they come for as long as it is moved.
    await pause((random.next() * 20_000) / late.length);
  });
  await Promise.all([moving(), registering]);
  const isThere = ({ path }: Path) => path.some(({ node }) => node === `wait_${waits - 2}`);
  const standing = async () => (await readPaths(webinar)).filter((run) => !isThere(run)).length;
  await expect.poll(standing, { timeout: 90_000, interval: 200 }).toBe(0);
  // Nobody registers any more and nothing else is due: the last move alone sees to it that the clock rings.
  await move((await clockOf(org)) + 3 * second - offsetOf(waits - 1));

  // Sooner than any sweep helps: it takes what is due for half a minute.
  const running = async () => (await readPaths(webinar)).filter(({ outcome }) => outcome === null).length;
  await expect.poll(running, { timeout: 25_000, interval: 200 }).toBe(0);
  const sightings = await readSightings(world);
  await removeWitness(world);
  const paths = await readPaths(webinar);

  expect(paths.map(({ email }) => email).toSorted()).toEqual(readers.toSorted());
  expect(wrongCounts(sightings, answers)).toEqual([]);
  expect(paths.flatMap((run) => wrongSteps(run, sightings))).toEqual([]);
  const tallies = Map.groupBy(
    paths.flatMap(({ path }) => path.map(({ did }) => did)),
    (did) => did,
  );
  // Both ways were taken, or nothing was tried.
  expect(tallies.get('waited')?.length).toBeGreaterThan(readers.length);
  expect(tallies.get('past')?.length).toBeGreaterThan(0);

  for (let index = 0; index < waits; index++) {
    const wanted = paths.filter(({ path }) => path.some(({ node }) => node === `remind_${index}`));
    const got = () => receiversOf(mail, `${subject} ${index}`).length;
    await expect.poll(got, { timeout: 60_000 }).toBe(wanted.length);
    expect(receiversOf(mail, `${subject} ${index}`).toSorted()).toEqual(
      wanted.map(({ email }) => email).toSorted(),
    );
  }
}, 400_000);
