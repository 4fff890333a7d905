import pg from 'pg';
import type { BenchOrg } from '../support/bench-database.ts';

/** People of the organization, chosen at random. */
export async function someIds(url: string, org: BenchOrg): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    'select id from people where org_id = $1 order by random() limit 20000',
    [org.id],
  );
  await client.end();
  return rows.map(({ id }) => id);
}
