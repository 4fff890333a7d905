import { setTimeout as pause } from 'node:timers/promises';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { askApi } from './broadcast-ask.ts';
import { judge } from './broadcast-judge.ts';
import type { Stage } from './broadcast-stage.ts';
import { watchLedger } from './ledger-watch.ts';

/** How a broadcast stands, for whoever chooses the moment of a kill. */
export interface Course {
  /** From 0 to 1. */
  readonly progress: () => number;
  readonly over: () => boolean;
}

export interface CourseOptions {
  /** How often the ledger is looked at, and how many seconds the broadcast may take. */
  readonly everyMs: number;
  readonly patience: number;
}

/** A broadcast from its time to its end, whatever is done to the service meanwhile; and what became of it. */
export async function runCourse(
  stage: Stage,
  { everyMs, patience }: CourseOptions,
  meanwhile: (course: Course) => Promise<Figure[]>,
): Promise<Figure[]> {
  const id = await stage.begin();
  const began = performance.now();
  const watch = watchLedger(stage.postgres.url, id, everyMs);
  const asking = askApi(stage.url, stage.key, id, everyMs * 4);
  const course = {
    progress: () => {
      const { recipients = 0, pending = 0 } = watch.last?.totals ?? {};
      return (recipients - pending) / stage.people;
    },
    over: () => !['scheduled', 'sending', undefined].includes(watch.last?.status),
  };
  const figures = await meanwhile(course);
  while (!course.over() && performance.now() - began < patience * 1000) await pause(100);
  const seconds = (performance.now() - began) / 1000;
  await asking.stop();
  await stage.handlers.kill('SIGTERM'); // whoever still has something in hand writes it down
  await watch.stop();
  const endedByItself = stage.api.endedByItself + stage.handlers.endedByItself + stage.relay.endedByItself;
  return [
    ...figures,
    exactly('times a part ended by itself', endedByItself, 0),
    told('seconds from its time to its end', seconds),
    told('times the API told how it goes', asking.answers),
    told('times the API was not there', asking.unanswered),
    exactly('times the API told something wrong', asking.wrong, 0),
    ...(await judge(stage, id, watch)),
  ];
}
