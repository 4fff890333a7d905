import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { readSentBy } from '../delivery/ledger/sent-by.ts';
import { writeEvents } from '../timeline/write-events.ts';

/** The first opening of a message, or its first click. */
export interface FirstHit {
  readonly person_id: string;
  readonly broadcast_id: string;
  readonly at: Date;
}
export type FirstClick = FirstHit & { readonly link: number };

/** Writes the first opening and the first click of a message to the person's timeline. */
export async function noteFirstHits(
  work: Work,
  opens: readonly FirstHit[],
  clicks: readonly FirstClick[],
): Promise<void> {
  const urlOf = await readUrls(work, clicks);
  const of = await readSentBy(
    work,
    [...opens, ...clicks].map(({ broadcast_id }) => broadcast_id),
  );
  await writeEvents(work, [
    ...opens.map(({ person_id, broadcast_id, at: occurred_at }) => ({
      person_id,
      name: '$svc_email_opened',
      custom_properties: of(broadcast_id),
      occurred_at,
    })),
    ...clicks.map(({ person_id, broadcast_id, link, at: occurred_at }) => ({
      person_id,
      name: '$svc_email_clicked',
      // A placeholder link is recorded by number only: its destination is personal.
      custom_properties: { ...of(broadcast_id), link, url: urlOf(broadcast_id, link) },
      occurred_at,
    })),
  ]);
}

/** The URLs of links that are the same for every recipient. */
async function readUrls(
  { db, org }: Work,
  clicks: readonly FirstClick[],
): Promise<(broadcast: string, link: number) => string | undefined> {
  if (clicks.length === 0) return () => undefined;
  const { rows } = await sql<{ broadcast_id: string; link: number; url: string }>`
    select broadcast_id, link, url from broadcast_links
    where org_id = ${org} and url is not null
      and (broadcast_id, link) in (
        select * from unnest(
          ${clicks.map(({ broadcast_id }) => broadcast_id)}::uuid[], ${clicks.map(({ link }) => link)}::bigint[]))`.execute(
    db,
  );
  const urls = new Map(rows.map(({ broadcast_id, link, url }) => [`${broadcast_id} ${link}`, url]));
  return (broadcast, link) => urls.get(`${broadcast} ${link}`);
}
