import pg from 'pg';

/** What a plan counts, asked of the database itself in one statement: no row level security, no service between. */
const counts = (page: number, column: string): string => `
  select count(*) as recipients,
    count(*) filter (where r.why is null) as reachable,
    count(*) filter (where r.why = 'opted_out') as opted_out,
    count(*) filter (where r.why = 'bounced') as bounced,
    count(*) filter (where r.why = 'complained') as complained,
    count(*) filter (where r.why = 'blacklisted') as blacklisted,
    count(*) filter (where r.why = 'no_address') as no_address,
    count(*) filter (where r.why is null and p.first_name <> '') as with_name,
    count(*) filter (where r.why is null and g.${column} <> '') as with_property
  from people p
  left join opt_outs o on o.org_id = p.org_id and o.person_id = p.id and o.email_opt_out
  left join email_blacklist b on b.org_id = p.org_id and b.person_id = p.id and b.email = p.primary_email
  left join property_page_${page} g on g.org_id = p.org_id and g.person_id = p.id
  cross join lateral (select case when p.primary_contact_method is distinct from 'email' then 'no_address'
    when o.person_id is not null then 'opted_out' else b.reason end as why) r
  where p.org_id = $1 and p.primary_email is not null`;

export class ByHand {
  readonly #client: pg.Client;
  readonly #org: string;
  readonly #text: string;

  private constructor(client: pg.Client, org: string, text: string) {
    this.#client = client;
    this.#org = org;
    this.#text = text;
  }

  /** `key` is a custom text property that the body reads; `helpers` is how many more processes a query may have. */
  static async open(url: string, org: string, key: string, helpers?: number): Promise<ByHand> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("set jit = off; set work_mem = '32MB'");
    if (helpers !== undefined) await client.query(`set max_parallel_workers_per_gather = ${helpers}`);
    const { rows } = await client.query<{ slot: number }>(
      "select slot from property_configs where org_id = $1 and key = $2 and type = 'string'",
      [org, key],
    );
    const slot = rows[0]!.slot;
    return new ByHand(client, org, counts(Math.floor(slot / 8), `t${slot % 8}`));
  }

  count(): Promise<unknown> {
    return this.#client.query(this.#text, [this.#org]);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
