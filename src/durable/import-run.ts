import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import { runImport, type ImportParts } from '../domain/imports/run-import.ts';
import { ImportId, OrgId } from '../kernel/ids.ts';
import { inPlace, type Slots } from '../kernel/slots.ts';
import { soonAgain } from './soon-again.ts';

const Asked = z.object({ org_id: OrgId, import_id: ImportId });

const lookAgainMs = 2_000;

interface Handlers {
  commit(context: restate.Context, raw: unknown): Promise<void>;
}
const itself: restate.ServiceDefinition<'ImportRun', Handlers> = { name: 'ImportRun' };

/**
 * Commits imports, some chunks at a time. The import's row says how far it is and holds off whoever comes second, so a
 * message too many does nothing, and what is forgotten the sweep tells again.
 */
export function importRun(
  parts: ImportParts,
  places: Slots,
  onEnd: (fields: object, message: string) => void,
) {
  return restate.service({
    name: itself.name,
    options: {
      journalRetention: 0,
      inactivityTimeout: { minutes: 1 },
      abortTimeout: { minutes: 1 },
      retryPolicy: soonAgain,
    },
    handlers: {
      commit: async (context: restate.Context, raw: unknown): Promise<void> => {
        const parsed = Asked.safeParse(raw);
        if (!parsed.success) throw new restate.TerminalError('not an import to commit');
        const { org_id, import_id } = parsed.data;
        const { outcome } = await context.run('commit', () =>
          inPlace(places, parts.stopping, () => runImport(parts, { org_id, import_id })),
        );
        if (outcome === 'more') context.serviceSendClient(itself).commit({ org_id, import_id });
        // Whoever has it may be dead: PostgreSQL finds out only when their statement ends.
        if (outcome === 'busy') {
          const later = restate.rpc.sendOpts({ delay: lookAgainMs });
          context.serviceSendClient(itself).commit({ org_id, import_id }, later);
        }
        if (outcome === 'done') onEnd({ org_id, import_id }, 'an import ended');
      },
    },
  });
}
