import { setTimeout as pause } from 'node:timers/promises';
import { PatientCaller } from './workflow-caller.ts';

/** Messages that each registrant gets: the first at once, the second after the wait. Named for their nodes. */
export const registrantMessages = ['welcome', 'reminder'] as const;

export interface Registrant {
  readonly email: string;
  /** When the call began and when it was answered. */
  readonly asked: number;
  readonly answered: number;
}

export interface Registrants {
  readonly all: readonly Registrant[];
  /** Calls that had to be made again. */
  readonly again: () => number;
  /** Answers of 500 and the like. */
  readonly broken: () => number;
  readonly stop: () => Promise<void>;
}

/**
 * People who register for another webinar one after another, over REST, while the broadcast is sent. Each comes with a
 * property, and a workflow sends each two messages.
 */
export async function keepRegistering(
  { url, key }: { readonly url: string; readonly key: string },
  { everyMs, waitMs }: { readonly everyMs: number; readonly waitMs: number },
): Promise<Registrants> {
  const caller = new PatientCaller(url, key);
  const webinar_id = await makeWorkflow(caller, waitMs);
  const all: Registrant[] = [];
  let stopped = false;
  const running = (async () => {
    for (let n = 0; !stopped; n++) {
      const email = `guest-${n}@example.com`;
      const asked = Date.now();
      const user = { email, properties: { plan_tier: 'guest' } };
      await caller.call('POST', '/v1/webinars/register', { webinar_id, user }, email);
      all.push({ email, asked, answered: Date.now() });
      await pause(everyMs);
    }
  })();
  running.catch(() => undefined); // `stop` tells
  return {
    all,
    again: () => caller.again,
    broken: () => caller.broken,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

async function makeWorkflow(caller: PatientCaller, waitMs: number): Promise<string> {
  const { webinar } = await caller.call<{ webinar: { id: string } }>('POST', '/v1/webinars', {
    webinar: { title: 'Beside', start_time: new Date(Date.now() + 86_400_000).toISOString() },
  });
  const { senders } = await caller.call<{ senders: { id: string }[] }>('GET', '/v1/senders');
  const email = (id: string, next: string) => ({
    id,
    type: 'send_email',
    subject: id,
    html: '<p>See <a href="https://example.com/room">the room</a>.</p>',
    sender_id: senders[0]!.id,
    next,
  });
  const [first, second] = registrantMessages;
  const { workflow } = await caller.call<{ workflow: { id: string } }>('POST', '/v1/workflows', {
    name: 'Beside',
    graph: {
      trigger: { type: 'webinar_registration', webinar_id: webinar.id, next: first },
      nodes: [
        email(first, 'rest'),
        { id: 'rest', type: 'wait', duration_minutes: waitMs / 60_000, next: second },
        email(second, 'over'),
        { id: 'over', type: 'end' },
      ],
    },
  });
  await caller.call('POST', `/v1/workflows/${workflow.id}/publish`, {});
  return webinar.id;
}
