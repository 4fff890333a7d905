import pg from 'pg';
import type { BenchOrg } from '../support/bench-database.ts';
import { tell } from '../support/command.ts';
import { atMost, told, type Figure } from '../support/figure.ts';
import { load, type Load } from '../support/load.ts';
import type { RestClient } from '../support/rest-client.ts';
import { draft, longBody } from './bodies.ts';

interface Where {
  readonly url: string;
  readonly databaseUrl: string;
  readonly org: BenchOrg;
}

/** How long get_person takes while somebody plans for everybody, and while somebody drafts long bodies. */
export async function peopleMeanwhile(
  where: Where,
  { planned, service }: { readonly planned: () => Promise<unknown>; readonly service: RestClient },
  seconds: number,
  bar: number,
): Promise<Figure[]> {
  const ids = await someIds(where);
  const reading = (): Promise<Load> => {
    let at = 0;
    return load({
      url: where.url,
      connections: 1,
      seconds,
      next: () => ({
        method: 'GET',
        path: `/v1/people/${ids[at++ % ids.length]}`,
        headers: { authorization: where.org.secret, 'auth-type': 'api' },
      }),
    });
  };
  const html = longBody(100 * 1024);
  await reading();
  tell('get_person, quiet');
  const quiet = await reading();
  tell('get_person while planning');
  const whilePlanning = await besides(planned, reading);
  tell('get_person while long bodies are checked');
  const whileChecking = await besides(async () => {
    const { broadcast } = (await service.call('POST', '/v1/broadcasts', draft(html))) as {
      broadcast: { id: string };
    };
    await service.call('DELETE', `/v1/broadcasts/${broadcast.id}`);
  }, reading);
  return [
    atMost('get_person: p95 ms while somebody plans, beside quiet', whilePlanning.p95, quiet.p95, bar),
    told('get_person: p50 ms while somebody plans, beside quiet', whilePlanning.p50, quiet.p50),
    told('get_person: p95 ms while bodies of 100 KB are checked, beside quiet', whileChecking.p95, quiet.p95),
    told('get_person: p50 ms while bodies of 100 KB are checked, beside quiet', whileChecking.p50, quiet.p50),
  ];
}

/** Runs one thing over and over as long as the other takes. */
async function besides(over: () => Promise<unknown>, other: () => Promise<Load>): Promise<Load> {
  let done = false;
  const running = (async () => {
    while (!done) await over();
  })();
  const result = await other();
  done = true;
  await running;
  return result;
}

async function someIds({ databaseUrl, org }: Where): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    'select id from people where org_id = $1 order by random() limit 5000',
    [org.id],
  );
  await client.end();
  return rows.map(({ id }) => id);
}
