import type { Database } from '../database/pool.ts';
import { applyChanges } from '../domain/properties/apply-changes.ts';
import type { MessageHandler } from './mount-handlers.ts';

/** Applies custom properties that identify_person accepted. The row says what; running twice finds nothing left. */
export const personProperties = (
  database: Database,
  onApplied: (requestId: string, org: string) => void,
): MessageHandler<'PersonProperties'> => ({
  options: { inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 } },
  handle: async (context, { org_id, change_id, request_id }) => {
    const ran = await context.run('apply', () => applyChanges(database, org_id, change_id));
    if (ran) onApplied(request_id, org_id);
  },
});
