import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { Variables } from '../../content/variables/definition.ts';
import { isWebLink, wrongWithLink } from '../../../kernel/link.ts';
import { readValues } from '../../content/variables/read-values.ts';
import type { TrackedLink } from '../../content/body/track-links.ts';
import { readSettings } from '../../orgs/settings.ts';
import { findWebinar } from '../../webinars/record/webinar.ts';

/** Stores the destinations of a broadcast's links, by number, when its sending begins. */
export async function saveLinks(
  work: Work,
  broadcastId: string,
  links: readonly TrackedLink[],
): Promise<void> {
  if (links.length === 0) return;
  await work.db
    .insertInto('broadcast_links')
    .values(links.map((where, link) => ({ org_id: work.org, broadcast_id: broadcastId, link, ...where })))
    .execute();
}

/** A placeholder link that was followed. */
export interface Followed {
  readonly broadcast_id: string;
  /** Null when the person is gone: the fallback then applies. */
  readonly person_id: string | null;
  readonly placeholder: string;
}

const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * The current destinations of placeholder links, in the order given; undefined where the value is missing, no longer a
 * link, or not a web link. Reads once for each broadcast.
 */
export async function destinationsOf(
  work: Work,
  followed: readonly Followed[],
): Promise<(string | undefined)[]> {
  const found = new Map<Followed, string>();
  for (const [broadcast, links] of Map.groupBy(followed, ({ broadcast_id }) => broadcast_id)) {
    const values = await valuesFor(work, broadcast, links);
    for (const link of links) {
      const url =
        values
          .get((link.person_id ?? nobody) as PersonId)
          ?.get(link.placeholder)
          ?.trim() ?? '';
      if (isWebLink(url) && wrongWithLink(url) === undefined) found.set(link, url);
    }
  }
  return followed.map((link) => found.get(link));
}

async function valuesFor(
  work: Work,
  broadcastId: string,
  links: readonly Followed[],
): ReturnType<typeof readValues> {
  const row = await work.db
    .selectFrom('broadcasts')
    .select(['variables', 'webinar_id'])
    .where('org_id', '=', work.org)
    .where('id', '=', broadcastId)
    .executeTakeFirst();
  const names = new Set(links.map(({ placeholder }) => placeholder));
  const variables = Object.entries((row?.variables ?? {}) as Variables).filter(([name]) => names.has(name));
  const webinar =
    row === undefined || row.webinar_id === null ? undefined : await findWebinar(work, row.webinar_id);
  const people = [...new Set(links.map(({ person_id }) => (person_id ?? nobody) as PersonId))];
  const { timezone: zone } = await readSettings(work);
  return readValues(work, people, Object.fromEntries(variables), webinar, { now: work.now, zone });
}
