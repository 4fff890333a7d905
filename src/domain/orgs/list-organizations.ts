import type { Database } from '../../database/pool.ts';
import { relayTransaction } from '../../database/org-transaction.ts';

export interface ListedOrganization {
  readonly id: string;
  readonly name: string;
  readonly mode: string;
  readonly currency: string;
  readonly created_at: Date;
  readonly state: string;
  readonly state_reason: string | null;
}

/** Every organization of the installation, oldest first: for its operator only. */
export const listOrganizations = (database: Database): Promise<ListedOrganization[]> =>
  relayTransaction(database, (db) =>
    db
      .selectFrom('organizations')
      .select(['id', 'name', 'mode', 'currency', 'created_at', 'state', 'state_reason'])
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  );
