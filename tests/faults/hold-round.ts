import { setTimeout as pause } from 'node:timers/promises';
import { RestClient } from '../../benches/support/rest-client.ts';
import { onDatabase } from './broadcast-setting.ts';
import { tellEngine, type Stage } from './broadcast-stage.ts';
import type { Chance } from './chance.ts';
import { endLeases } from './end-leases.ts';
import { until, type Killable } from './part.ts';

const patienceMs = 300_000;

/** Kills every part once, each at a moment of its own within a second or so. Answers how many. */
export async function killOnceEach(victims: readonly Killable[], chance: Chance): Promise<number> {
  const moments = victims.map(() => [chance() * 1_200, 50 + chance() * 300] as const);
  await Promise.all(
    victims.map(async (victim, n) => {
      const [afterMs, goneMs] = moments[n]!;
      await pause(afterMs);
      await victim.kill();
      await pause(goneMs);
      await victim.start();
    }),
  );
  return victims.length;
}

/** The handlers, who stay dead until the leases of their lanes are over: nobody waits a minute for that. */
export const outlivedByLeases = ({ handlers, postgres }: Stage): Killable => ({
  name: handlers.name,
  kill: () => handlers.kill(),
  start: async () => {
    await endLeases(postgres.url);
    handlers.start();
  },
});

interface Row {
  readonly email: string;
  readonly state: string;
}

/** One broadcast to a webinar of its own, planned for some of its people; the rest register before its time. */
export class HoldRound {
  readonly #stage: Stage;
  readonly #id: string;
  readonly #subject: string;
  readonly #people: number;

  private constructor(stage: Stage, id: string, subject: string, people: number) {
    this.#stage = stage;
    this.#id = id;
    this.#subject = subject;
    this.#people = people;
  }

  static async open(stage: Stage, n: number, people: number): Promise<HoldRound> {
    await until(`${stage.url}/health`);
    const service = new RestClient(stage.url, stage.key);
    const webinar_id = await onDatabase(stage.postgres.url, async (client) => {
      const made = await client.query<{ id: string }>(
        `insert into webinars (org_id, id, title, start_time, created_at)
         select org_id, gen_random_uuid(), title, start_time, created_at from webinars limit 1 returning id`,
      );
      await register(client, made.rows[0]!.id, n * people, Math.ceil(people / 2));
      return made.rows[0]!.id;
    });
    const subject = `Held ${n}`;
    const call = async <T>(path: string, body?: unknown): Promise<T> =>
      (await service.call(body === undefined ? 'GET' : 'POST', path, body)) as T;
    const { senders } = await call<{ senders: { id: string }[] }>('/v1/senders');
    const { broadcast } = await call<{ broadcast: { id: string } }>('/v1/broadcasts', {
      audience: 'webinar',
      webinar_id,
      subject,
      html: '<p>We begin.</p>',
      sender_id: senders[0]!.id,
      hold_if_audience_changes_by: 50,
    });
    const send_at = new Date(Date.now() + 2 * 3_600_000).toISOString();
    const path = `/v1/broadcasts/${broadcast.id}`;
    const { plan_token } = await call<{ plan_token: string }>(`${path}/plan`, { send_at });
    await call(`${path}/schedule`, { plan_token });
    await onDatabase(stage.postgres.url, (client) => register(client, webinar_id, n * people, people));
    return new HoldRound(stage, broadcast.id, subject, people);
  }

  async becomeDue(): Promise<void> {
    await this.#query('update broadcasts set send_at = now() where id = $1');
    await this.tellAgain();
  }

  tellAgain(): Promise<void> {
    return tellEngine(this.#stage.postgres.url);
  }

  untilHeld(): Promise<void> {
    return this.#until(() => this.isHeld());
  }

  async isHeld(): Promise<boolean> {
    const [row] = await this.#query<{ held: boolean }>(
      "select status = 'scheduled' and held_at is not null as held from broadcasts where id = $1",
    );
    return row!.held;
  }

  /** Releases it with the fresh count, as often as it takes: an answer may be lost on its way, and a look too. */
  release(): Promise<void> {
    const { url, key } = this.#stage;
    const headers = { authorization: key, 'auth-type': 'api', 'content-type': 'application/json' };
    const path = `${url}/v1/broadcasts/${this.#id}`;
    return this.#until(async () => {
      const looked = await fetch(`${path}/recount`, { headers });
      const seen = (await looked.json()) as { audience?: { recipients: number }; code?: string };
      if (seen.code === 'not_held') return true; // an answer was lost, the release was not
      if (seen.audience === undefined) return false;
      const body = JSON.stringify({ counted: seen.audience.recipients });
      const { status } = await fetch(`${path}/release`, { method: 'POST', headers, body });
      return status === 200;
    });
  }

  untilSent(): Promise<void> {
    return this.#until(async () => {
      await this.tellAgain();
      const [row] = await this.#query<{ status: string }>('select status from broadcasts where id = $1');
      if (row!.status === 'error') throw new Error(`${this.#subject} failed`);
      return row!.status === 'sent';
    });
  }

  /** Nobody can know any more whether half of those who have it have it. */
  async doubt(): Promise<void> {
    await this.#query(
      `update deliveries set state = 'uncertain', reason = 'interrupted', sent_at = null
       where broadcast_id = $1 and state = 'sent' and id % 2 = 0`,
    );
  }

  /** Sends it again to whoever is uncertain, as often as it takes to be answered: a plan sends once. */
  resend(): Promise<void> {
    const { url, key } = this.#stage;
    const headers = { authorization: key, 'auth-type': 'api', 'content-type': 'application/json' };
    const path = `${url}/v1/broadcasts/${this.#id}`;
    const post = (to: string, body: object) =>
      fetch(`${path}/${to}`, { method: 'POST', headers, body: JSON.stringify(body) });
    let token: string | undefined;
    return this.#until(async () => {
      if (token === undefined) {
        const planned = (await (await post('plan-resend', {})).json()) as { resend_token?: string };
        token = planned.resend_token;
        return false;
      }
      const { status } = await post('resend', { resend_token: token });
      return status === 200 || status === 409; // an answer was lost, and the plan was used
    });
  }

  /** After a second round: who got it how often, beside what the ledger says of them. */
  async judgeAgain() {
    const taken = await this.#byAddress();
    const rows = await this.#query<Row & { again: boolean }>(
      `select p.primary_email as email, d.state, d.former_state is not null as again from deliveries d
       join people p on p.org_id = d.org_id and p.id = d.person_id where d.broadcast_id = $1`,
    );
    const again = rows.filter((row) => row.again);
    const isTaken = (times: number) => (row: Row) => (taken.get(row.email) ?? 0) === times;
    const sentAgain = again.filter(({ state }) => state === 'sent');
    return {
      again: again.length,
      uncertainAgain: again.filter(({ state }) => state === 'uncertain').length,
      lostAgain: sentAgain.filter((row) => !isTaken(2)(row)).length,
      thrice: [...taken.values()].filter((count) => count > 2).length,
      others: rows.filter((row) => !row.again && (taken.get(row.email) ?? 0) > 1).length,
      pending: rows.filter(({ state }) => ['pending', 'sending'].includes(state)).length,
    };
  }

  /** How many messages of it the mail server has taken. */
  async taken(): Promise<number> {
    return [...(await this.#byAddress()).values()].reduce((sum, count) => sum + count, 0);
  }

  async judge() {
    const taken = await this.#byAddress();
    const rows = await this.#query<Row>(
      `select p.primary_email as email, d.state from deliveries d
       join people p on p.org_id = d.org_id and p.id = d.person_id where d.broadcast_id = $1`,
    );
    const isOf = (state: string) => rows.filter((row) => row.state === state);
    const known = new Set(rows.map(({ email }) => email));
    return {
      uncertain: isOf('uncertain').length,
      lost:
        isOf('sent').filter(({ email }) => !taken.has(email)).length +
        rows.filter(({ state }) => !['sent', 'uncertain', 'skipped'].includes(state)).length +
        (this.#people - rows.length),
      twice: [...taken.values()].filter((count) => count > 1).length,
      strangers: [...taken.keys()].filter((email) => !known.has(email)).length,
    };
  }

  async #byAddress(): Promise<Map<string, number>> {
    const { messages } = await this.#stage.sink.readLog();
    return new Map(
      [...messages].flatMap(([message, count]) => {
        const [address = '', ...subject] = message.split(' ');
        return subject.join(' ') === this.#subject ? [[address, count]] : [];
      }),
    );
  }

  #query<T extends object>(text: string): Promise<T[]> {
    return onDatabase(
      this.#stage.postgres.url,
      async (client) => (await client.query(text, [this.#id])).rows as T[],
    );
  }

  async #until(isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!(await isSo().catch((error: Error) => this.#pardon(error)))) {
      if (performance.now() > end) throw new Error(`${this.#subject} took too long`);
      await pause(200);
    }
  }

  /** A part that was killed does not answer. */
  #pardon(error: Error): false {
    if (error instanceof TypeError || error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Registers people for a webinar, so many from a place on, but for those that are there already. */
const register = (
  client: { query: (text: string, values: unknown[]) => Promise<unknown> },
  webinar: string,
  from: number,
  count: number,
): Promise<unknown> =>
  client.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select org_id, gen_random_uuid(), $1, id, now() from (
       select org_id, id from people order by id offset $2 limit $3) p
     where not exists (select 1 from registrations r where r.webinar_id = $1 and r.person_id = p.id)`,
    [webinar, from, count],
  );
