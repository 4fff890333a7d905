import { sql } from 'kysely';
import { asRelay } from '../../../database/org-transaction.ts';
import type { Channel } from '../../orgs/allowance.ts';
import { auditChange, type ChangingState } from '../../orgs/change-state.ts';
import { defaultRoute } from '../ledger/route.ts';

/**
 * Has an organization's messages of a channel go over a route from now on. Returns false if there is no such route for
 * this channel.
 */
export async function chooseRoute(by: ChangingState, channel: Channel, route: string): Promise<boolean> {
  const { db, org } = by;
  const isChosen = await asRelay(db, async () => {
    const left = await usedRoute(by, channel);
    if (!(await useRoute(by, channel, route))) return false;
    if (left !== route) await noteLeft(by, channel, left);
    return true;
  });
  if (isChosen) await auditChange(by, 'choose_route', { org_id: org, channel, route });
  return isChosen;
}

async function usedRoute({ db, org }: ChangingState, channel: Channel): Promise<string> {
  const { rows } = await sql<{ route: string }>`
    select route from installation.org_routes where org_id = ${org} and channel = ${channel}`.execute(db);
  return rows[0]?.route ?? defaultRoute;
}

async function useRoute({ db, org }: ChangingState, channel: Channel, route: string): Promise<boolean> {
  if (route === defaultRoute) {
    await sql`
      delete from installation.org_routes where org_id = ${org} and channel = ${channel}`.execute(db);
    return true;
  }
  const { numAffectedRows } = await sql`
    insert into installation.org_routes (org_id, channel, route)
    select ${org}, channel, name from installation.routes where name = ${route} and channel = ${channel}
    on conflict (org_id, channel) do update set route = excluded.route`.execute(db);
  return numAffectedRows === 1n;
}

const noteLeft = ({ db, org, now }: ChangingState, channel: Channel, route: string) =>
  sql`
    insert into installation.left_routes (org_id, channel, route, left_at)
    values (${org}, ${channel}, ${route}, ${now})
    on conflict (org_id, channel, route) do update set left_at = excluded.left_at`.execute(db);
