import { z } from 'zod';
import { accountTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import type { Keyring } from '../database/work.ts';
import type { FindClient } from '../domain/connections/client.ts';
import { clientDocuments, isDocumentAddress } from '../domain/connections/client-documents.ts';
import { fetchDocument, type DocumentNetwork } from '../domain/connections/fetch-document.ts';
import { grantConnection } from '../domain/connections/grant-connection.ts';
import { findRegistered, keepClient } from '../domain/connections/register-client.ts';
import { organizationsOf } from '../domain/members/find-signed-in.ts';
import type { ConnectParts } from '../faces/account/authorize-pages.ts';
import type { OauthParts } from '../faces/oauth/parts.ts';
import { permissions } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import { fewAtOnce } from '../kernel/few-at-once.ts';
import type { AnyOperation } from '../kernel/operation.ts';

export interface ConnectingParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: Keyring;
  readonly publicUrl: string;
  readonly operations: readonly AnyOperation[];
  /** How many connections strangers may hold of those that organizations use. */
  readonly atOnce: number;
  readonly network?: DocumentNetwork | undefined;
}

const documentsAtOnce = 4;

const busy = (): Failure =>
  new Failure('rate_limited', 'Many are connecting now. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });

/** Tool connections by OAuth: what programs ask at, and what the page that asks a user works with. */
export function connecting(parts: ConnectingParts): { oauth: OauthParts; connect: ConnectParts } {
  const { database, clock, keys, publicUrl, operations, atOnce, network } = parts;
  const inTurn = fewAtOnce(atOnce, busy);
  const transact: OauthParts['transact'] = (access, work) =>
    inTurn(() => accountTransaction(database, access, work));
  const asked = new Set(
    operations.filter(({ faces }) => faces.tool === true).map(({ permission }) => permission),
  );
  const offered = permissions.filter((one) => asked.has(one));
  const findDocument = clientDocuments({
    fetch: (url) => fetchDocument(url, network),
    inTurn: fewAtOnce(documentsAtOnce, busy),
    clock,
  });
  const findClient: FindClient = async (id) => {
    if (isDocumentAddress(id)) return findDocument(id);
    if (!z.guid().safeParse(id).success) return undefined;
    return transact('read', (db) => findRegistered(db, id, clock.now()));
  };
  return {
    oauth: { database, clock, keys, publicUrl, transact, offered, inTurn },
    connect: {
      rules: { findClient, resource: `${publicUrl}/mcp`, offered },
      organizationsOf: (user) => organizationsOf(database, user),
      grant: async (grant) => {
        const code = await grantConnection(database, grant, clock.now());
        const { id, host } = grant.request.client;
        if (code !== undefined && host === null)
          await transact('write', (db) => keepClient(db, id, clock.now()));
        return code;
      },
    },
  };
}
