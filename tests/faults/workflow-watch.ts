import { setTimeout as pause } from 'node:timers/promises';
import type { Course } from './broadcast-course.ts';
import { PatientRows } from './workflow-rows.ts';

export interface WorkflowWatch extends Course {
  /** Says that it is over. */
  readonly end: () => Promise<void>;
}

const everyMs = 100;
const messagesEach = 4;

/**
 * How far the journey is: of the messages there will be, how many are in the ledger and how many are done with. So half
 * of it passes while runs are being released, though that takes far less time than sending; and so do half the kills.
 */
export function watchWorkflow(url: string, people: number): WorkflowWatch {
  const rows = new PatientRows(url);
  const wanted = people * messagesEach;
  let progress = 0;
  let over = false;
  const running = (async () => {
    while (!over) {
      const [seen] = await rows.query<{ added: number; done: number }>(
        `select coalesce(sum(recipients), 0)::int as added, coalesce(sum(recipients - pending), 0)::int as done
         from broadcasts where workflow_id is not null`,
      );
      progress = Math.min(1, ((seen?.added ?? 0) + (seen?.done ?? 0)) / (2 * wanted));
      await pause(everyMs);
    }
    await rows.close();
  })();
  return {
    progress: () => progress,
    over: () => over,
    end: async () => {
      over = true;
      await running;
    },
  };
}
