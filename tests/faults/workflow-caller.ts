import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 120_000;

/** Somebody who calls the API again when it is told to come back later, or hears nothing. */
export class PatientCaller {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  /** Calls that had to be made again. */
  again = 0;
  /** Answers that blame the service without asking to come back: 500 and the like. */
  broken = 0;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#headers = { authorization: key, 'auth-type': 'api', 'content-type': 'application/json' };
  }

  /** With a key, what was done although nobody heard of it is not done again. */
  async call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<T> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const answer = await this.#try(method, path, body, key);
      if (answer !== undefined && answer.status < 300) return (await answer.json()) as T;
      const text = answer === undefined ? 'nothing' : `${answer.status}: ${await answer.text()}`;
      const isLater = answer?.headers.has('retry-after') === true;
      const isRefused = answer !== undefined && answer.status < 500 && !isLater;
      if (isRefused || performance.now() > until) throw new Error(`${path} answered ${text}`);
      this.again += 1;
      if (answer !== undefined && answer.status >= 500 && !isLater) this.broken += 1;
      await pause(200);
    }
  }

  #try(method: string, path: string, body: unknown, key?: string): Promise<Response | undefined> {
    return fetch(this.#url + path, {
      method,
      headers: { ...this.#headers, ...(key !== undefined && { 'idempotency-key': key }) },
      signal: AbortSignal.timeout(30_000),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
      .then(async (answer) => new Response(await answer.text(), answer)) // half an answer is none
      .catch(() => undefined);
  }

  async clock(): Promise<number> {
    const { test_clock } = await this.call<{ test_clock: { now: string } }>('GET', '/v1/test-clock');
    return Date.parse(test_clock.now);
  }

  /** It goes forward only: whoever heard nothing looks first whether it went already. */
  async moveClock(to: number): Promise<void> {
    const until = performance.now() + patienceMs;
    while ((await this.clock()) < to) {
      const answer = await this.#try('POST', '/v1/test-clock', { now: new Date(to).toISOString() });
      if (answer?.ok === true) return;
      if (performance.now() > until) throw new Error(`the clock would not move: ${await answer?.text()}`);
      this.again += 1;
      await pause(200);
    }
  }
}
