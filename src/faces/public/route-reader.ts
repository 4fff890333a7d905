import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import { openSettings, readRoute, type RouteSettings } from '../../domain/delivery/providers/routes.ts';
import { Failure } from '../../kernel/failure.ts';
import { fewAtOnce } from '../../kernel/few-at-once.ts';
import type { OnShed, ShedReason } from '../../kernel/shed.ts';

export interface RouteReading {
  readonly database: Database;
  readonly keys: Pick<Keyring, 'stored'>;
  /** How many connections requests may hold whose signature is not checked yet. */
  readonly uncheckedAtOnce: number;
  readonly onShed: OnShed;
}

export type ReadSettings = (kind: string, name: string) => Promise<RouteSettings | undefined>;

const retrySeconds = 30;

/**
 * Reads the settings of the route that a webhook's address names. The secret of a signature is the route's, so whoever
 * makes up a report costs a look at the database.
 */
export function routeReader(
  { database, keys, uncheckedAtOnce, onShed }: RouteReading,
  reason: ShedReason,
): ReadSettings {
  const inTurn = fewAtOnce(uncheckedAtOnce, () => {
    onShed(reason);
    return new Failure('unavailable', 'Too many reports came at once. Send this one again later.', {
      retryAfterSeconds: retrySeconds,
    });
  });
  return async (kind, name) => {
    const row = await inTurn(() => readRoute(database, { name, kind }));
    return row && openSettings(keys.stored, row);
  };
}

/** The environment does not say what would be needed to believe a report. */
export const notConfigured = (): Failure =>
  new Failure('route_not_found', 'No route answers this method and path. See /docs.');
