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

  async query<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const until = performance.now() + patienceMs;
    for (;;) {
      try {
        this.#client ??= await connect(this.#url);
        return (await this.#client.query<T>(text, [...values])).rows;
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
