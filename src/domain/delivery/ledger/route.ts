import { sql, type RawBuilder } from 'kysely';

/** The name of the route that the environment describes; other routes are rows. */
export const defaultRoute = 'default';

/**
 * In SQL of the relay: whether this organization's texts go over a route. What comes back over a route is believed about
 * those organizations only: whoever holds its account could say anything about the others.
 */
export const textsGoOver = (org: string, route: string): RawBuilder<boolean> => sql<boolean>`
  coalesce((
    select o.route from installation.org_routes o where o.org_id = ${sql.ref(org)} and o.channel = 'sms'
  ), ${defaultRoute}) = ${route}`;
