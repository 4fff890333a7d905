import { statuses } from '../../../src/domain/broadcasts/draft/broadcast.ts';
import { explains, type Ask, type Call, type State } from './races-model.ts';

/** What is left of a round. */
export interface Remains {
  readonly status: string;
  readonly revision: number;
  /** Of the audit log, by operation. */
  readonly audited: Readonly<Record<string, number>>;
  /** Which alarms are in the outbox, by revision. */
  readonly alarms: readonly number[];
  /** Which starts left a row of their delivery. */
  readonly deliveries: readonly number[];
}

export interface Round {
  /** How it stood before everything happened at once: a draft, or scheduled with the first plan. */
  readonly start: State;
  readonly calls: readonly Call[];
  /** How often a delivery was called, by the alarm's revision. */
  readonly delivered: Readonly<Record<number, number>>;
}

/** Every answer there may be. Anything else, a 500 above all, is a fault by itself. */
export const known: Readonly<Record<Ask['kind'], readonly string[]>> = {
  plan: ['ok', 'broadcast_scheduled', 'sending_begun', 'failed_to_begin', 'not_found'],
  schedule: ['ok', 'plan_stale', 'broadcast_scheduled', 'sending_begun', 'failed_to_begin', 'not_found'],
  unschedule: ['ok', 'not_scheduled', 'sending_begun', 'not_found'],
  patch: ['ok', 'broadcast_scheduled', 'sending_begun', 'failed_to_begin', 'not_found'],
  delete: ['ok', 'sending_begun', 'not_found'],
  start: ['began', 'failed', 'early', 'moved_on'],
};

/** What is wrong with a round, in words; nothing, if nothing is. */
export function judge({ start, calls, delivered }: Round, remains: Remains): string[] {
  const wrong: string[] = [];
  const claim = (holds: boolean, words: string): void => {
    if (!holds) wrong.push(words);
  };
  const counted = (kind: Ask['kind'], answer = 'ok'): number =>
    calls.filter(({ ask, answer: given }) => ask.kind === kind && given === answer).length;
  const { status, revision, audited, alarms, deliveries } = remains;

  for (const { ask, answer } of calls) {
    claim(known[ask.kind].includes(answer), `${ask.kind} was answered ${answer}`);
  }
  claim([...statuses, 'gone'].includes(status as 'draft'), `it is ${status}`);

  const before = start.status === 'scheduled' ? 1 : 0;
  const [scheduled, unscheduled, patched, deleted] = [
    counted('schedule') + before,
    counted('unschedule'),
    counted('patch'),
    counted('delete'),
  ];
  const [began, failed] = [counted('start', 'began'), counted('start', 'failed')];

  // Each scheduling ends in one way: taken back, begun, failed, deleted, or it stands. One that failed may be taken
  // back after that.
  const unended = scheduled - unscheduled - began - failed - (status === 'scheduled' ? 1 : 0);
  claim(
    (unended <= 0 && unended >= -failed) || (unended === 1 && deleted === 1),
    `${unended} schedulings ended in no way, or in two`,
  );
  const tokens = calls.flatMap(({ ask, answer }) =>
    ask.kind === 'schedule' && answer === 'ok' ? [ask.plan] : [],
  );
  if (before === 1) tokens.push(0);
  claim(new Set(tokens).size === tokens.length, 'a token scheduled twice');
  claim(began <= 1 && (began === 0 || status === 'sending'), `it began ${began} times and is ${status}`);
  claim(
    deleted <= 1 && (deleted === 1) === (status === 'gone'),
    `it was deleted ${deleted} times and is ${status}`,
  );
  claim(deleted === 0 || began === 0, 'it was deleted and begins');

  const calledFor = Object.entries(delivered).map(([of, times]) => `${of} × ${times}`);
  const begun = calls.flatMap(({ ask, answer }) =>
    ask.kind === 'start' && answer === 'began' ? [ask.revision] : [],
  );
  claim(
    calledFor.join() === begun.map((of) => `${of} × 1`).join() && deliveries.join() === begun.join(),
    `began for ${begun.join()}, delivered for ${calledFor.join()}, and ${deliveries.join()} is left of it`,
  );

  const changes = scheduled + unscheduled + patched + began + failed;
  claim(status === 'gone' || revision === 1 + changes, `revision ${revision} after ${changes} changes`);
  claim(
    new Set(alarms).size === alarms.length && alarms.length === scheduled,
    `${alarms.join()} for ${scheduled} schedulings`,
  );
  const expected = {
    create_broadcast: 1,
    schedule_broadcast: scheduled,
    unschedule_broadcast: unscheduled,
    update_broadcast: patched,
    delete_broadcast: deleted,
    begin_sending: began,
    fail_to_begin: failed,
  };
  for (const [operation, times] of Object.entries(expected)) {
    claim(
      (audited[operation] ?? 0) === times,
      `${operation} happened ${times} times, audited ${audited[operation] ?? 0}`,
    );
  }
  claim(
    explains(start, calls, { status, revision }),
    'no order of the calls explains the answers and the end',
  );
  return wrong;
}
