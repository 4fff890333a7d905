import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOrg } from '../support/bench-database.ts';
import { timesOf, type Times } from '../support/in-turns.ts';
import { sendCall, type Call } from '../support/send-call.ts';

export const asks = ['get_person', 'register_for_webinar'] as const;
export type Ask = (typeof asks)[number];

export interface Served {
  readonly times: Readonly<Record<Ask, Times>>;
  /** Answered with 5xx, or not at all. */
  readonly failed: number;
  /** Answered with 429. */
  readonly refused: number;
}

export interface Victim {
  readonly org: BenchOrg;
  readonly people: readonly string[];
  readonly webinar: string;
}

const everyMs = 40; // one of each
const patienceMs = 20_000;

let registered = 0;

/** Asks at a steady rate, however long answers take: who waits for one before the next asks less when it is slow. */
export async function serve({ org, people, webinar }: Victim, url: string, seconds: number): Promise<Served> {
  const agent = new http.Agent({ keepAlive: true });
  const headers = { authorization: org.secret, 'auth-type': 'api' };
  const next: Readonly<Record<Ask, () => Call>> = {
    get_person: () => ({
      method: 'GET',
      path: `/v1/people/${people[Math.floor(Math.random() * people.length)]}`,
      headers,
    }),
    register_for_webinar: () => ({
      method: 'POST',
      path: '/v1/webinars/register',
      headers,
      body: JSON.stringify({
        webinar_id: webinar,
        user: { email: `registrant-${process.pid}-${++registered}@example.net`, first_name: 'Ada' },
      }),
    }),
  };
  const taken: Record<Ask, number[]> = { get_person: [], register_for_webinar: [] };
  const counts = { failed: 0, refused: 0 };
  const ask = async (name: Ask): Promise<void> => {
    const began = performance.now();
    const status = await sendCall(agent, url, next[name]()).then(
      (answered) => answered.status,
      () => 0,
    );
    taken[name].push(performance.now() - began);
    if (status === 0 || status >= 500) counts.failed++;
    else if (status === 429) counts.refused++;
    else if (status >= 300) throw new Error(`${name} answered ${status}`);
  };
  const asked: Promise<void>[] = [];
  const began = performance.now();
  for (let turn = 0; turn * everyMs < seconds * 1000; turn++) {
    for (const [index, name] of asks.entries()) {
      const at = began + (turn + index / asks.length) * everyMs;
      await pause(Math.max(0, at - performance.now()));
      asked.push(ask(name));
    }
  }
  const late = setTimeout(() => agent.destroy(), patienceMs); // who has none by then gets none
  await Promise.all(asked);
  clearTimeout(late);
  agent.destroy();
  return {
    times: {
      get_person: timesOf(taken.get_person),
      register_for_webinar: timesOf(taken.register_for_webinar),
    },
    ...counts,
  };
}
