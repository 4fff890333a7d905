import { runImport, type ImportParts } from '../domain/imports/commit/run-import.ts';
import type { Slots } from '../kernel/slots.ts';
import { inPlace } from './in-place.ts';
import type { MessageHandler } from './mount-handlers.ts';
import { shortRetries } from './short-retries.ts';

const lookAgainMs = 2_000;

/**
 * Commits imports, some chunks at a time. The import's row says how far it is and lets one handler at a time commit, so
 * a duplicate message does nothing, and the sweep sends a lost one again.
 */
export const importRun = (
  parts: ImportParts,
  places: Slots,
  onEnd: (fields: object, message: string) => void,
): MessageHandler<'ImportRun'> => ({
  options: { inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 }, retryPolicy: shortRetries },
  handle: async (context, { org_id, import_id }, again) => {
    const committed = await context.run('commit', () =>
      inPlace({ places, owner: org_id, stopping: parts.stopping }, () =>
        runImport(parts, { org_id, import_id }),
      ),
    );
    if (committed === 'no_place') return committed;
    const { outcome } = committed;
    if (outcome === 'more') again({ import_id });
    // The process that holds the import may be dead: PostgreSQL notices only when its statement ends.
    if (outcome === 'busy') again({ import_id }, lookAgainMs);
    if (outcome === 'done') onEnd({ org_id, import_id }, 'an import ended');
    return undefined;
  },
});
