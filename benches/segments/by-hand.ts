import pg from 'pg';
import type { Case } from './cases.ts';

const columns = `p.id, p.first_name, p.last_name, p.primary_email, p.primary_phone, p.external_user_id,
  p.subscription_status, p.payment_processor, p.mrr, p.ltv, p.created_at`;

/** A statement with the connection it is quickest on. */
interface Statement {
  readonly client: pg.Client;
  readonly text: string;
}

export interface Prepared {
  readonly count: Statement;
  readonly page: Statement;
  readonly reachable: Statement;
}

/** The questions asked of the database itself: no row level security, no service between. */
export class ByHand {
  readonly #clients: readonly pg.Client[];
  readonly #org: string;

  private constructor(clients: readonly pg.Client[], org: string) {
    this.#clients = clients;
    this.#org = org;
  }

  /** Two connections: one as PostgreSQL plans, one that may not join by loops. */
  static async open(url: string, org: string): Promise<ByHand> {
    const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
    for (const client of clients) {
      await client.connect();
      await client.query("set jit = off; set work_mem = '32MB'; set statement_timeout = '5s'");
    }
    await clients[1]!.query('set enable_nestloop = off');
    return new ByHand(clients, org);
  }

  /** The statements that answer a case, each in the quickest of its forms. */
  async prepare(one: Case): Promise<Prepared> {
    return {
      count: await this.#quickest(one.hand.count.map((from) => `select count(*) from ${from}`)),
      page: await this.#quickest(one.hand.members.flatMap((from) => [walked(from), collected(from)])),
      reachable: await this.#quickest(one.hand.members.map(reachable)),
    };
  }

  /** The count and the newest 50. */
  async firstPage({ count, page }: Prepared): Promise<void> {
    await this.#ask(count);
    await this.#ask(page);
  }

  /** The count, how many can be reached, and the newest five. */
  async preview({ reachable: both, page }: Prepared): Promise<void> {
    await this.#ask(both);
    await this.#ask({ ...page, text: page.text.replace(/limit 50$/, 'limit 5') });
  }

  async #quickest(texts: readonly string[]): Promise<Statement> {
    let best: { statement?: Statement; time: number } = { time: Number.POSITIVE_INFINITY };
    for (const statement of this.#clients.flatMap((client) => texts.map((text) => ({ client, text })))) {
      let time = Number.POSITIVE_INFINITY;
      for (const _ of ['cold', 'warm']) {
        const started = performance.now();
        // One that runs into the time limit is not the quickest.
        const ended = await this.#ask(statement).then(...always);
        time = ended ? performance.now() - started : Number.POSITIVE_INFINITY;
        if (!ended) break;
      }
      if (time < best.time) best = { statement, time };
    }
    return best.statement!;
  }

  async #ask({ client, text }: Statement): Promise<void> {
    await client.query(text, [this.#org]);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.end();
  }
}

const always = [() => true, () => false] as const;

/** Down the index of newest people until enough are found. */
const walked = (from: string): string =>
  `select ${columns} from ${from} order by p.created_at desc, p.id desc limit 50`;

/** All of them first, then sorted. */
const collected = (from: string): string =>
  `select * from (select ${columns} from ${from} offset 0) p order by created_at desc, id desc limit 50`;

const reachable = (from: string): string =>
  `select count(*), count(*) filter (
    where p.primary_contact_method = 'email' and o.person_id is null and x.person_id is null) from ${from.replace(
      /\s+where p\.org_id = \$1/,
      ` left join opt_outs o on o.org_id = $1 and o.person_id = p.id and o.email_opt_out
        left join email_blacklist x on x.org_id = $1 and x.person_id = p.id and x.email = p.primary_email
        where p.org_id = $1`,
    )}`;
