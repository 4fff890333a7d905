import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import type { Database } from '../database/pool.ts';
import { applyChanges } from '../domain/properties/apply-changes.ts';
import { OrgId } from '../kernel/ids.ts';

const Change = z.object({ org_id: OrgId, change_id: z.guid(), request_id: z.string() });

/** Applies custom properties that identify_person accepted. The row says what; running twice finds nothing left. */
export const personProperties = (database: Database, onApplied: (requestId: string, org: string) => void) =>
  restate.service({
    name: 'PersonProperties',
    options: { journalRetention: 0, inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 } },
    handlers: {
      apply: async (context: restate.Context, raw: unknown): Promise<void> => {
        const parsed = Change.safeParse(raw);
        if (!parsed.success) throw new restate.TerminalError('not a property change');
        const { org_id, change_id, request_id } = parsed.data;
        const ran = await context.run('apply', () => applyChanges(database, org_id, change_id));
        if (ran) onApplied(request_id, org_id);
      },
    },
  });
