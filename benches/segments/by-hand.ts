import pg from 'pg';
import type { Case } from './cases.ts';

const columns = `p.id, p.first_name, p.last_name, p.primary_email, p.primary_phone, p.external_user_id,
  p.subscription_status, p.payment_processor, p.mrr, p.ltv, p.created_at`;

/** The questions asked of the database itself: one connection, no row level security, no service between. */
export class ByHand {
  readonly #client: pg.Client;
  readonly #org: string;

  private constructor(client: pg.Client, org: string) {
    this.#client = client;
    this.#org = org;
  }

  static async open(url: string, org: string): Promise<ByHand> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("set jit = off; set work_mem = '32MB'");
    return new ByHand(client, org);
  }

  /** The statements that answer a case, each in the quickest of its forms. */
  async prepare(one: Case): Promise<Prepared> {
    const members = one.hand.members.flatMap((from) => [walked(from), collected(from)]);
    return {
      count: await this.#quickest(one.hand.count.map((from) => `select count(*) from ${from}`)),
      page: await this.#quickest(members),
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
    await this.#ask(page.replace(/limit 50$/, 'limit 5'));
  }

  async #quickest(forms: readonly string[]): Promise<string> {
    let best = { form: forms[0]!, time: Number.POSITIVE_INFINITY };
    for (const form of forms) {
      await this.#ask(form);
      const started = performance.now();
      await this.#ask(form);
      const time = performance.now() - started;
      if (time < best.time) best = { form, time };
    }
    return best.form;
  }

  async #ask(text: string): Promise<void> {
    await this.#client.query(text, [this.#org]);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

export interface Prepared {
  readonly count: string;
  readonly page: string;
  readonly reachable: string;
}

/** Down the index of newest people until enough are found. */
const walked = (from: string): string =>
  `select ${columns} from ${from} order by p.created_at desc, p.id desc limit 50`;

/** All of them first, then sorted. */
const collected = (from: string): string =>
  `select * from (select ${columns} from ${from} offset 0) p order by created_at desc, id desc limit 50`;

const reachable = (from: string): string =>
  `select count(*), count(*) filter (
    where p.primary_email is not null and o.person_id is null and x.person_id is null) from ${from.replace(
      /\s+where p\.org_id = \$1/,
      ` left join opt_outs o on o.org_id = $1 and o.person_id = p.id and o.email_opt_out
        left join email_blacklist x on x.org_id = $1 and x.person_id = p.id and x.email = p.primary_email
        where p.org_id = $1`,
    )}`;
