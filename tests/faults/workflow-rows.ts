import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const patienceMs = 120_000;

/** A look at the rows through a connection of its own, again and again until the database is there. */
export class PatientRows {
  readonly #url: string;
  #client: pg.Client | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  query<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return this.#patiently(async (client) => (await client.query<T>(text, [...values])).rows);
  }

  /** Several statements sent together; what each of them found. */
  script<T extends pg.QueryResultRow>(text: string): Promise<T[][]> {
    return this.#patiently(async (client) => {
      const results = (await client.query<T>(text)) as unknown as pg.QueryResult<T>[];
      return results.map(({ rows }) => rows);
    });
  }

  async #patiently<T>(ask: (client: pg.Client) => Promise<T>): Promise<T> {
    const until = performance.now() + patienceMs;
    for (;;) {
      try {
        this.#client ??= await connect(this.#url);
        return await ask(this.#client);
      } catch (error) {
        await this.close();
        if (performance.now() > until) throw error;
        await pause(100);
      }
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    query_timeout: 30_000,
  });
  client.on('error', () => undefined); // the query that finds out says so
  await client.connect();
  return client;
}
