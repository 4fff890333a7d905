import { sql, type RawBuilder } from 'kysely';
import { relayTransaction } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import type { Channel } from '../../orgs/allowance.ts';

/** The name of the route that the environment describes; other routes are rows. */
export const defaultRoute = 'default';

/**
 * In SQL of the relay: whether this organization's messages go over a route. What comes back over a route is believed
 * about those organizations only: whoever holds its account could say anything about the others.
 */
export const goesOver = (org: string, channel: Channel, route: string): RawBuilder<boolean> => sql<boolean>`
  coalesce((
    select o.route from installation.org_routes o where o.org_id = ${sql.ref(org)} and o.channel = ${channel}
  ), ${defaultRoute}) = ${route}`;

/** The same of a row of `deliveries`, whose organization may have left the route after it: what is under way then ends there. */
export const wentOver = (channel: Channel, route: string): RawBuilder<boolean> => sql<boolean>`
  (${goesOver('deliveries.org_id', channel, route)} or exists (
    select from installation.left_routes l
    where l.org_id = deliveries.org_id and l.channel = ${channel} and l.route = ${route}
      and coalesce(deliveries.sent_at, deliveries.due_at) < l.left_at + interval '1 minute'))`;

/** Whether a message of ours may have been handed over by a route. */
export const isOfRoute = (
  database: Database,
  { org, delivery }: { readonly org: OrgId; readonly delivery: number },
  channel: Channel,
  route: string,
): Promise<boolean> =>
  relayTransaction(database, async (db) => {
    const found = await db
      .selectFrom('deliveries')
      .select('id')
      .where('org_id', '=', org)
      .where('id', '=', delivery)
      .where(wentOver(channel, route))
      .executeTakeFirst();
    return found !== undefined;
  });
