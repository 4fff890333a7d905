import type { Database } from '../../database/pool.ts';
import { relayTransaction } from '../../database/org-transaction.ts';

export interface ListedOrganization {
  readonly id: string;
  readonly name: string;
  readonly mode: string;
  readonly currency: string;
  readonly created_at: Date;
}

/** Every organization of the installation, oldest first: for whoever runs it, and nobody else. */
export const listOrganizations = (database: Database): Promise<ListedOrganization[]> =>
  relayTransaction(database, (db) =>
    db
      .selectFrom('organizations')
      .select(['id', 'name', 'mode', 'currency', 'created_at'])
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  );
