import { expect, test } from 'vitest';
import { requireBroadcast } from '../../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { checkWindow } from '../../../src/domain/broadcasts/sending/check-window.ts';
import { readRun, type Run } from '../../../src/domain/broadcasts/sending/run.ts';
import type { Work } from '../../../src/database/work.ts';
import type { Claimed } from '../../../src/domain/delivery/ledger/ledger.ts';
import type { BroadcastId } from '../../../src/kernel/ids.ts';
import { seedPeople } from '../../../src/main/seed-people.ts';
import { openCounted } from '../../queries/count-queries.ts';
import { newWebinar } from '../../support/broadcast.ts';
import { inService } from '../../support/in-service.ts';
import { beginSending } from '../../support/lane.ts';
import { always } from '../../support/providers.ts';
import { newSendingOrg } from '../../support/reader-rows.ts';
import { newSender } from '../../support/sender-row.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const people = 5_000;
const windowSize = 64;

/** A broadcast to a new webinar for which everybody is registered, and a window of its rows. */
async function newToRegistrants(org: TestOrg, sender_id: string) {
  const { admin } = world();
  const webinar_id = await newWebinar(world(), org);
  await admin.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select org_id, gen_random_uuid(), $2, id, now() from people where org_id = $1`,
    [org.id, webinar_id],
  );
  const draft = { audience: 'webinar', webinar_id, subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id } = await beginSending(world(), org, { ...draft, webinar_audience: 'registered' });
  const { rows } = await admin.query<Claimed>(
    `insert into deliveries (org_id, id, broadcast_id, person_id, state, due_at)
     select $1, first_number_of_month(now()) + nextval('delivery_ids'), $2, person_id, 'pending', now()
     from registrations where webinar_id = $3 order by id limit $4
     returning id::float8, person_id, attempts::int, added_at, run_id`,
    [org.id, id, webinar_id, windowSize],
  );
  const run = await inService(world(), org, async (work): Promise<Run> => {
    const read = await readRun(work, await requireBroadcast(work, id as BroadcastId), always());
    if ('problem' in read) throw new Error(read.problem);
    return read.run;
  });
  return { run: run!, window: rows };
}

test('a window is checked by the keys of its people while the statistics know another webinar, or none', async () => {
  const { admin, database } = world();
  const org = await newSendingOrg(world());
  const sender_id = await newSender(world(), org);
  await seedPeople(database, { org: org.id, people, now: new Date() });
  const counted = openCounted(world().config.DATABASE_URL);
  const costOfCheck = async (): Promise<number> => {
    const { run, window } = await newToRegistrants(org, sender_id);
    const check = async (work: Work) => {
      const { go } = await checkWindow(work, run, window);
      expect(go).toHaveLength(windowSize);
    };
    const where = { ...world(), database: counted.database };
    const { buffers } = await counted.count(() => inService(where, org, check));
    return (buffers['people'] ?? 0) + (buffers['registrations'] ?? 0);
  };
  try {
    expect(await costOfCheck()).toBeLessThan(windowSize * 15);
    await admin.query('vacuum analyze');
    expect(await costOfCheck()).toBeLessThan(windowSize * 12);
    expect(await costOfCheck()).toBeLessThan(windowSize * 12);
  } finally {
    await counted.close();
  }
});
