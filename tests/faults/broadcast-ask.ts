import { setTimeout as pause } from 'node:timers/promises';
import { tell } from '../../benches/support/command.ts';

interface Stats {
  readonly totals: { readonly recipients: number; readonly sent: number; readonly skipped: number };
  readonly outcomes: Readonly<Record<string, number>>;
  readonly per_day: readonly { readonly sent: number }[];
  readonly skipped: readonly { readonly count: number }[];
}

export interface Asking {
  readonly answers: number;
  /** Answers that do not add up, or say anything but "not now". */
  readonly wrong: number;
  /** Told to come back later, or nobody there. */
  readonly unanswered: number;
  readonly stop: () => Promise<void>;
}

/** Asks the API how the broadcast goes, over and over, as a person in front of a page would. */
export function askApi(url: string, key: string, broadcast: string, everyMs: number): Asking {
  const asking = { answers: 0, wrong: 0, unanswered: 0 };
  const headers = { authorization: key, 'auth-type': 'api' };
  let stopped = false;

  const ask = async (): Promise<void> => {
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`${url}/v1/broadcasts/${broadcast}/stats`, { headers, signal });
    const text = await response.text();
    if (response.status === 503) asking.unanswered += 1;
    else if (response.ok && addsUp(JSON.parse(text) as Stats)) asking.answers += 1;
    else {
      asking.wrong += 1;
      tell(`the API answered ${response.status}: ${text}`);
    }
  };
  const running = (async () => {
    while (!stopped) {
      await ask().catch(() => void (asking.unanswered += 1));
      await pause(everyMs);
    }
  })();
  return Object.assign(asking, {
    stop: async () => {
      stopped = true;
      await running;
    },
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

const addsUp = ({ totals, outcomes, per_day, skipped }: Stats): boolean =>
  totals.recipients === sum(Object.values(outcomes)) &&
  totals.sent === sum(per_day.map((day) => day.sent)) &&
  totals.skipped === sum(skipped.map(({ count }) => count));
