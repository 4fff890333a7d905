import { setTimeout as pause } from 'node:timers/promises';
import { tell } from '../../benches/support/command.ts';
import { journeyMinutes, type Start, type Starts } from '../workflows/model.ts';
import type { Chance } from './chance.ts';
import { PatientCaller } from './workflow-caller.ts';
import { PatientRows } from './workflow-rows.ts';
import type { Invited } from './workflow-setting.ts';
import type { WorkflowStage } from './workflow-stage.ts';

export interface JourneyOptions {
  /** How many register over REST at each of five moments. */
  readonly wave: number;
  /** Seconds it may take until whatever is due has been released, and until everything is over. */
  readonly patience: number;
  /** Who attends. */
  readonly chance: Chance;
}

/** What the model is to know of the course: every start the webinar had. */
export interface Travelled {
  readonly starts: Starts;
  /** Calls that had to be made again. */
  readonly again: number;
  readonly seconds: number;
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/**
 * Everybody's journey from the registration to its end: the clock is moved from one moment to the next, the webinar put
 * off, brought forward and put off again, more people register, some attend. Each move waits until whatever was due has
 * been released, so that there is one right answer for each run; nothing waits for messages to go out.
 */
export async function travel(
  stage: WorkflowStage,
  { wave, patience, chance }: JourneyOptions,
): Promise<Travelled> {
  const began = performance.now();
  const caller = new PatientCaller(stage.url, stage.key);
  const rows = new PatientRows(stage.postgres.url);
  const starts: [Start, ...Start[]] = [{ from: stage.from, start: stage.start }];
  const { webinar } = stage;
  const released = () => nothingLeft(rows, patience, due, [stage.org]);

  const reschedule = async (start: number): Promise<void> => {
    await released();
    const start_time = new Date(start).toISOString();
    await caller.call('POST', '/v1/webinars/reschedule', { webinar_id: webinar, start_time });
    const [row] = await rows.query<{ updated_at: Date; start_time: Date }>(
      'select updated_at, start_time from webinars where id = $1',
      [webinar],
    );
    starts.push({ from: row!.updated_at.getTime(), start: row!.start_time.getTime() });
    await released();
  };
  const moveTo = async (to: number, what: string): Promise<void> => {
    tell(`${((performance.now() - began) / 1000).toFixed(0)} s: ${what}`);
    await caller.moveClock(to);
    await registerWave(caller, stage, starts.length * 100_000 + Math.floor(to / minute), wave);
    await released();
  };

  const [first] = starts;
  await moveTo(first.from + day, 'a day later');
  const second = first.start + 2 * day;
  await reschedule(second);
  await moveTo(first.start - day + minute, 'a day before, had it not been put off');
  await moveTo(second + journeyMinutes.dayBefore * minute + minute, 'a day before');
  const third = second - 20 * hour;
  await reschedule(third);
  await moveTo(third + journeyMinutes.hourBefore * minute + minute, 'an hour before');
  const last = third + hour / 2;
  await reschedule(last);
  await moveTo(last + 10 * minute, 'it has begun');
  await reportAttendance(caller, rows, stage, chance);
  await moveTo(last + journeyMinutes.afterEnd * minute + minute, 'half an hour after its end');
  await moveTo(last + day, 'a day later');
  await caller.moveClock(last + 2 * day); // whoever registered last has rested, too
  await nothingLeft(rows, patience, 'select 1 from workflow_runs where ended_at is null');
  await nothingLeft(rows, patience, "select 1 from deliveries where state in ('pending', 'sending')");
  await rows.close();
  return { starts, again: caller.again, seconds: (performance.now() - began) / 1000 };
}

const due = `
  select 1 from waits w join organizations o on o.id = w.org_id and o.id = $1
  join webinars t on t.org_id = w.org_id and t.id = w.clock_id
  where now() + o.clock_ahead_ms * interval '1 millisecond' >= coalesce(w.due_at,
    t.start_time + w.offset_ms * interval '1 millisecond'
      + case w.anchor when 'end' then t.duration_minutes * interval '1 minute' else interval '0' end)`;

/** Waits until nothing is found. */
async function nothingLeft(
  rows: PatientRows,
  patience: number,
  found: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const until = performance.now() + patience * 1000;
  for (;;) {
    const [seen] = await rows.query<{ left: boolean }>(`select exists (${found}) as left`, values);
    if (seen?.left === false) return;
    if (performance.now() > until) throw new Error(`after ${patience} s there is still: ${found}`);
    await pause(50);
  }
}

/** Some more register over REST: people the organization has not heard of, pros among them. */
async function registerWave(
  caller: PatientCaller,
  { webinar, invited }: WorkflowStage,
  mark: number,
  count: number,
): Promise<void> {
  const some = Array.from({ length: count }, (_, index): Invited => {
    return { email: `wave-${mark}-${index}@example.com`, isPro: index % 2 === 0, attended: false };
  });
  await inParallel(some, async ({ email, isPro }) => {
    const properties = { plan_tier: isPro ? 'pro' : 'free' };
    await caller.call('POST', '/v1/webinars/register', { webinar_id: webinar, user: { email, properties } });
  });
  invited.push(...some);
}

const reported = 100;

/** A third attended. Some of that is reported over REST, the rest written as the report writes it. */
async function reportAttendance(
  caller: PatientCaller,
  rows: PatientRows,
  { webinar, invited }: WorkflowStage,
  chance: Chance,
): Promise<void> {
  for (const one of invited) one.attended = chance() < 1 / 3;
  const attended = invited.filter((one) => one.attended).toReversed();
  await inParallel(attended.slice(0, reported), ({ email }) =>
    caller.call('POST', '/v1/webinars/attendance', { webinar_id: webinar, email }),
  );
  await rows.query(
    `update registrations r set attended = true, attendance_source = 'api', attendance_at = now()
     from people p where r.webinar_id = $1 and p.org_id = r.org_id and p.id = r.person_id
       and p.primary_email = any($2::text[])`,
    [webinar, attended.slice(reported).map(({ email }) => email)],
  );
}

async function inParallel<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const item of left) await act(item);
    }),
  );
}
