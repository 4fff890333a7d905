import { z } from 'zod';
import { addToOutbox } from '../../database/outbox.ts';
import { defineOperation } from '../../database/work.ts';
import { invalidRequest } from '../../kernel/failure.ts';
import { Moment } from '../../kernel/moment.ts';
import { readClock } from '../orgs/org-clock.ts';
import { requireTestMode, TestClock, toTestClock } from '../orgs/get-test-clock.ts';
import { leapClocks } from '../waits/leap-clocks.ts';
import { tellDueSyncs } from '../webinars/platforms/plan-syncs.ts';
import { dueBroadcasts } from '../broadcasts/sending/begin-sending.ts';
import { leapLanes } from '../broadcasts/sending/lane.ts';
import { tellLane } from '../broadcasts/sending/start-run.ts';

const farthestMs = 10 * 366 * 86_400_000; // ten years

export const moveTestClock = defineOperation({
  name: 'move_test_clock',
  title: 'Move the test clock',
  summary:
    'Move the clock of this test organization forward, to a moment or by some seconds, so that what waits for a time ' +
    'can be tried at once. What becomes due is released. It never goes back, and runs on from there.',
  permission: 'broadcasts.schedule',
  effect: 'change',
  faces: { rest: ['POST /v1/test-clock'] },
  input: z
    .strictObject({
      now: Moment.optional().describe('The moment to set it to.'),
      advance: z
        .number()
        .positive()
        .max(farthestMs / 1000)
        .optional()
        .describe('So many seconds forward.'),
    })
    .refine(({ now, advance }) => (now === undefined) !== (advance === undefined), 'Send now or advance.'),
  output: z.object({ test_clock: TestClock, released: z.int().describe('Broadcasts whose time has come.') }),
  handle: async (work, { now, advance }) => {
    requireTestMode(work);
    // Concurrent moves are serialized: the second starts where the first arrived.
    await work.db
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', work.org)
      .forNoKeyUpdate()
      .execute();
    const { now: shown } = await readClock(work.db, work.org, work.caller.now);
    const wanted = now ?? new Date(shown.getTime() + (advance ?? 0) * 1000);
    const ahead = wanted.getTime() - work.caller.now.getTime();
    const pointer = now === undefined ? '/advance' : '/now';
    if (wanted < shown)
      throw refused(pointer, `The clock shows ${shown.toISOString()} and goes forward only.`);
    if (ahead > farthestMs) throw refused(pointer, 'The clock may run at most ten years ahead.');
    await work.db
      .updateTable('organizations')
      .set({ clock_ahead_ms: ahead, clock_moved_at: work.caller.now })
      .where('id', '=', work.org)
      .execute();
    work.touched['org_id'] = work.org;
    work.now = wanted; // what this call stores, above all its answer, carries the new time
    const due = await dueBroadcasts(work, wanted);
    for (const fields of due) {
      await addToOutbox(work, 'BroadcastStart', fields);
    }
    for (const { broadcast_id, lane } of await leapLanes(work, wanted.getTime() - shown.getTime(), wanted))
      await tellLane(work, broadcast_id, lane);
    await leapClocks(work, wanted);
    await tellDueSyncs(work, wanted);
    return { test_clock: toTestClock(work, wanted), released: due.length };
  },
});

const refused = (pointer: string, detail: string) =>
  invalidRequest([{ pointer, code: 'out_of_range', detail }]);
