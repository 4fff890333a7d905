import type { Work } from '../../../database/work.ts';
import { asService } from '../../orgs/as-service.ts';
import type { LaneRef } from './lane.ts';
import type { RunParts } from './run.ts';

/** One transaction of a lane. One that `rests` does nothing while the organization is suspended. */
export const inRun = <T>(
  { database, clock, keys, mail }: RunParts,
  { org_id, lane }: LaneRef,
  handle: (work: Work) => Promise<T>,
  rests?: 'rests',
): Promise<T | undefined> =>
  asService(
    database,
    { keys, mail },
    {
      org: org_id,
      now: clock.now(),
      actor: 'broadcast_run',
      requestId: `${lane.broadcast}/${lane.number}`,
      rests: rests === 'rests',
    },
    handle,
  );
