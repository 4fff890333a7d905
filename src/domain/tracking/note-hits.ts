import { sql } from 'kysely';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import type { Work } from '../../database/work.ts';
import { asService, type Asked } from '../orgs/as-service.ts';
import { destinationsOf } from '../delivery/outgoing/broadcast-links.ts';
import type { Hit } from './hit.ts';
import { machineByRequest } from './machine-request.ts';

/**
 * Records the hits of one organization in one statement and returns their destinations in order: undefined for a hit
 * that leads nowhere. Hits come with the service's time and are stored with the organization's. They get no audit row:
 * a hit is an observation, and its own row says when and by what.
 */
export async function noteHits(
  database: Database,
  parts: ServiceParts,
  asked: Asked,
  hits: readonly Hit[],
): Promise<(string | undefined)[]> {
  const found = await asService(database, parts, asked, async (work) => {
    const ahead = work.now.getTime() - asked.now.getTime();
    const led = await insertHits(work, hits, ahead);
    const followed = led.flatMap((one) =>
      one.placeholder === null ? [] : [{ ...one, placeholder: one.placeholder }],
    );
    const values = await destinationsOf(work, followed);
    return new Map([
      ...led.map(({ n, url }) => [n, url ?? undefined] as const),
      ...followed.map(({ n }, index) => [n, values[index]] as const),
    ]);
  });
  return hits.map((_, n) => found?.get(n));
}

interface Led {
  /** The index of the hit. */
  readonly n: number;
  readonly broadcast_id: string;
  readonly person_id: string | null;
  readonly url: string | null;
  readonly placeholder: string | null;
}

async function insertHits({ db, org }: Work, hits: readonly Hit[], ahead: number): Promise<readonly Led[]> {
  const came = hits.map((hit, n) => ({
    ...hit,
    n,
    at: new Date(hit.at.getTime() + ahead),
    why: machineByRequest(hit),
  }));
  const named = hits.map(({ delivery }) => delivery); // only their months are scanned
  const { rows } = await sql<Led>`
    with came as materialized (
      select h.*, d.broadcast_id, d.person_id
      from jsonb_to_recordset(${JSON.stringify(came)}::jsonb) as h(n integer, delivery bigint, kind text, link bigint,
        at timestamptz, agent text, method text, why text)
      join deliveries d on d.org_id = ${org} and d.id = h.delivery and d.id = any(${named}::bigint[])
    ), noted as (
      insert into tracking_hits (org_id, id, delivery_id, kind, link, at, agent, method, verdict, why)
      select ${org}, first_number_of_month(at) + nextval('tracking_hit_ids'), delivery, kind, link, at, agent, method, case when why is not null then 'machine' end, why
      from came order by n
    )
    select c.n, c.broadcast_id, c.person_id, l.url, l.placeholder
    from came c
    join broadcast_links l on l.org_id = ${org} and l.broadcast_id = c.broadcast_id and l.link = c.link`.execute(
    db,
  );
  return rows;
}
