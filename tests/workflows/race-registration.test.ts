import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Work } from '../../src/database/work.ts';
import { enrollRegistrant } from '../../src/domain/triggers/enroll.ts';
import { newId } from '../../src/kernel/ids.ts';
import { Random } from '../segments/random.ts';
import { inHours } from '../support/broadcast.ts';
import { inService } from '../support/in-service.ts';
import { advanceClock, useSending } from '../support/sending.ts';
import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { seed, volume } from '../support/volume.ts';
import { inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';

const sending = useSending();

/** A webinar of next week, whose registrants come to a wait at once and stay there. */
async function newCourse(org: TestOrg): Promise<string> {
  const { body } = await org.rest('POST /v1/webinars', {
    webinar: { title: 'Next week', start_time: inHours(7 * 24) },
  });
  const webinar = body.webinar.id as string;
  const wait = { id: 'hold', type: 'wait', anchor: 'start', offset_minutes: -60 };
  await liveWorkflow(org, inLine(onRegistration(webinar), wait));
  return webinar;
}

async function standing(webinar: string, node: string): Promise<number> {
  const { rows } = await sending().world.admin.query<{ count: number }>(
    'select count(*)::int as count from waits where clock_id = $1 and node = $2',
    [webinar, node],
  );
  return rows[0]!.count;
}

// The sweep, which would find a run that was forgotten, needs half a minute.
const soon = { timeout: 25_000, interval: 10 };

test('whoever registers while others are released is not left behind: every run sets out within moments', async () => {
  const [rounds, atOnce] = [volume(50), 6];
  const random = new Random(seed);
  const org = await newSendingOrg(sending().world);
  const webinar_id = await newCourse(org);
  const readers = [...(await newReaders(org, rounds * atOnce)).keys()];
  for (let round = 0; round < rounds; round++) {
    const some = readers.slice(round * atOnce, (round + 1) * atOnce);
    await Promise.all(
      some.map(async (email, index) => {
        await pause(index * random.next() * 40);
        const { status } = await org.rest('POST /v1/webinars/register', { webinar_id, user: { email } });
        expect(status).toBe(200);
      }),
    );
    await expect.poll(() => standing(webinar_id, 'trigger'), soon).toBe(0);
    expect(await standing(webinar_id, 'hold')).toBe((round + 1) * atOnce);
  }
}, 600_000);

/** As register does it, in a transaction that the test keeps open. */
async function enroll(work: Work, webinar_id: string, person_id: string, at = work.now): Promise<void> {
  const registration_id = newId(work.now);
  await work.db
    .insertInto('registrations')
    .values({ org_id: work.org, id: registration_id, webinar_id, person_id, registered_at: work.now })
    .execute();
  await enrollRegistrant(work, { person_id, webinar_id, registration_id, at });
}

test('a clock does not rest over a registration that is not committed yet: that run sets out, too', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const webinar = await newCourse(org);
  const [first = '', second = ''] = (await newReaders(org, 2)).values();
  const minutes = 10;
  await inService(world, org, (work) =>
    enroll(work, webinar, first, new Date(work.now.getTime() + minutes * 60_000)),
  );
  // Somebody is changing the first person: the clock rings for them, and goes on looking until that is over.
  const other = new pg.Client({ connectionString: world.databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select 1 from people where id = $1 for update', [first]);
  await advanceClock(org, minutes * 60 + 1);
  const isBusy = async (): Promise<boolean> => {
    const { rows } = await world.admin.query('select busy_by from wait_clocks where id = $1', [webinar]);
    return rows[0]?.busy_by !== null;
  };
  await expect.poll(isBusy, soon).toBe(true);
  await inService(world, org, async (work) => {
    await enroll(work, webinar, second);
    await other.query('rollback');
    // The clock may look once more meanwhile, but not be set: it would not see the second.
    await pause(1_500);
  });
  await other.end();
  await expect.poll(() => standing(webinar, 'hold'), soon).toBe(2);
});
