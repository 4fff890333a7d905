import { planBroadcast } from '../../../src/domain/broadcasts/plan/plan-broadcast.ts';
import { scheduleBroadcast } from '../../../src/domain/broadcasts/plan/schedule-broadcast.ts';
import { unscheduleBroadcast } from '../../../src/domain/broadcasts/plan/unschedule-broadcast.ts';
import { updateBroadcast } from '../../../src/domain/broadcasts/draft/update-broadcast.ts';
import type { AnyOperation } from '../../../src/kernel/operation.ts';
import { waysTo } from '../../support/call-operation.ts';
import type { TestOrg } from '../../support/test-org.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Call = (
  as: TestOrg,
  broadcast_id: string,
  fields?: Readonly<Record<string, unknown>>,
) => Promise<{ status: number; body: Json }>;

export interface Face {
  readonly face: string;
  readonly plan: Call;
  readonly schedule: Call;
  readonly unschedule: Call;
  readonly update: Call;
}

const callOver =
  (operation: AnyOperation, at: number): Call =>
  (as, broadcast_id, fields = {}) =>
    waysTo(operation)[at]!.call(as, { broadcast_id, ...fields });

/** The life of a broadcast, once over REST and once as tools. */
export const faces: readonly Face[] = ['REST', 'tools'].map((face, at) => ({
  face,
  plan: callOver(planBroadcast, at),
  schedule: callOver(scheduleBroadcast, at),
  unschedule: callOver(unscheduleBroadcast, at),
  update: callOver(updateBroadcast, at),
}));

export const rest = faces[0]!;
