import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { MomentOut } from '../../kernel/moment.ts';

export const TestClock = z
  .object({
    now: MomentOut,
    ahead_seconds: z.number().describe('How far this clock runs ahead of real time.'),
  })
  .meta({ id: 'TestClock' });

export const getTestClock = defineOperation({
  name: 'get_test_clock',
  title: 'Read the test clock',
  summary: 'What the clock of this test organization shows. It runs, from wherever it was moved to.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/test-clock'] },
  input: z.strictObject({}),
  output: z.object({ test_clock: TestClock }),
  handle: async (work) => {
    requireTestMode(work);
    return { test_clock: toTestClock(work, work.now) };
  },
});

export function requireTestMode({ caller }: Work): void {
  if (caller.mode === 'test') return;
  throw new Failure(
    'test_mode_only',
    'This is a live organization, and its clock is the real one. Use an organization made for testing and its rk_test_ key.',
  );
}

export const toTestClock = ({ caller }: Work, now: Date): z.input<typeof TestClock> => ({
  now: now.toISOString(),
  ahead_seconds: (now.getTime() - caller.now.getTime()) / 1000,
});
