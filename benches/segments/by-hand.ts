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

  /** The count and the newest 50, each in the quickest way of those known. */
  async firstPage(one: Case, form: PageForm): Promise<void> {
    await this.#ask(`select count(*) from ${one.hand.count}`);
    await this.#ask(pageForms[form](one.hand.members));
  }

  /** Which way to the newest 50 is the quicker one here. */
  async quickerForm(one: Case): Promise<PageForm> {
    const taken = { walked: 0, collected: 0 };
    for (const form of ['walked', 'collected', 'walked', 'collected'] as const) {
      const started = performance.now();
      await this.#ask(pageForms[form](one.hand.members));
      taken[form] = performance.now() - started; // the second time counts
    }
    return taken.walked <= taken.collected ? 'walked' : 'collected';
  }

  async preview(one: Case, form: PageForm): Promise<void> {
    const from = one.hand.members.replace(
      ' where p.org_id = $1',
      ` left join opt_outs o on o.org_id = $1 and o.person_id = p.id and o.email_opt_out
        left join email_blacklist x on x.org_id = $1 and x.person_id = p.id and x.email = p.primary_email
        where p.org_id = $1`,
    );
    await this.#ask(`select count(*), count(*) filter (
      where p.primary_email is not null and o.person_id is null and x.person_id is null) from ${from}`);
    await this.#ask(pageForms[form](one.hand.members).replace('limit 50', 'limit 5'));
  }

  async #ask(text: string): Promise<void> {
    await this.#client.query(text, [this.#org]);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

export type PageForm = keyof typeof pageForms;

const pageForms = {
  /** Down the index of newest people until enough are found. */
  walked: (from: string): string =>
    `select ${columns} from ${from} order by p.created_at desc, p.id desc limit 50`,
  /** All of them first, then sorted. */
  collected: (from: string): string =>
    `select * from (select ${columns} from ${from} offset 0) p order by created_at desc, id desc limit 50`,
};
