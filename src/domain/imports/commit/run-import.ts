import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { ImportId, OrgId } from '../../../kernel/ids.ts';
import { asService } from '../../orgs/as-service.ts';
import { commitChunk, type Chunk } from './commit-chunk.ts';
import { shouldSplit } from './give-up.ts';

export interface ImportParts extends ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Once aborted, no further chunk begins. */
  readonly stopping: AbortSignal;
}

export interface ImportRef {
  readonly org_id: OrgId;
  readonly import_id: ImportId;
}

export interface ImportProgress {
  /** `more`: call again at once. */
  readonly outcome: Chunk['outcome'];
  readonly rows: number;
}

const rowsAChunk = 1_000;
const step = 4; // divides the chunk when rows are refused, and multiplies it when they are not
const runMs = 2_000; // then returns to the engine, so that others may have the place
const silenceMs = 60_000; // longer than any chunk takes

/**
 * Continues an import chunk by chunk, each in a transaction. When rows cannot be written, tries fewer, down to the one
 * at fault: it is recorded as failed and the others continue.
 */
export async function runImport(parts: ImportParts, ref: ImportRef): Promise<ImportProgress> {
  const until = parts.clock.now().getTime() + runMs;
  let mostRows = rowsAChunk;
  let isSearching = false; // searches to the end, however long it takes: the next call would begin anew
  let rows = 0;
  while ((isSearching || parts.clock.now().getTime() < until) && !parts.stopping.aborted) {
    const chunk = await tryChunk(parts, ref, mostRows);
    isSearching = chunk === undefined;
    if (chunk === undefined) {
      mostRows = mostRows === 1 ? 0 : Math.ceil(mostRows / step);
      continue;
    }
    rows += chunk.rows;
    if (chunk.outcome !== 'more') return { outcome: chunk.outcome, rows };
    mostRows = Math.min(Math.max(mostRows * step, 1), rowsAChunk);
  }
  return { outcome: 'more', rows };
}

/** Returns undefined when the rows cannot be written. With `mostRows` 0, tries a single row for the last time. */
async function tryChunk(parts: ImportParts, ref: ImportRef, mostRows: number): Promise<Chunk | undefined> {
  if (mostRows === 0) return takeChunk(parts, ref, { mostRows: 1, isLastTry: true });
  return takeChunk(parts, ref, { mostRows }).catch((error: unknown) => {
    if (shouldSplit(error)) return undefined;
    throw error;
  });
}

const takeChunk = async (
  { database, clock, keys, mail }: ImportParts,
  { org_id, import_id }: ImportRef,
  how: { readonly mostRows: number; readonly isLastTry?: boolean },
): Promise<Chunk> => {
  const now = clock.now();
  const chunk = await asService(
    database,
    { keys, mail },
    { org: org_id, now, actor: 'import_run', requestId: import_id, rests: true },
    (work) => commitChunk(work, import_id, { ...how, tellAgainAt: new Date(now.getTime() + silenceMs) }),
  );
  return chunk ?? { outcome: 'not_committing', rows: 0 }; // the organization is gone or suspended
};
