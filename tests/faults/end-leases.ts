import { onDatabase } from './broadcast-setting.ts';

/**
 * Lets the leases of all lanes pass, as they would within a minute. Rows are locked in the service's order, which is at
 * work at the same time.
 */
export const endLeases = (databaseUrl: string): Promise<unknown> =>
  onDatabase(databaseUrl, (client) =>
    client.query(`
      with held as (
        select org_id, broadcast_id, lane from delivery_lanes
        where next_at > now() order by org_id, broadcast_id, lane for update)
      update delivery_lanes l set next_at = now() from held h
      where (l.org_id, l.broadcast_id, l.lane) = (h.org_id, h.broadcast_id, h.lane)`),
  );
