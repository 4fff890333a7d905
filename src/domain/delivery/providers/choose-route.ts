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
  });
  if (isChosen) await auditChange(by, 'choose_route', { org_id: org, channel, route });
  return isChosen;
}
