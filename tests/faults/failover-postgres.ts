import { setTimeout as pause } from 'node:timers/promises';
import { startOwnPostgres, type OwnPostgres } from '../../benches/support/own-postgres.ts';
import { onDatabase } from './broadcast-setting.ts';
import { openSwitchedPort } from './switched-port.ts';

export interface FailoverPostgres extends OwnPostgres {
  /** A standby that follows the present primary, and has caught up. */
  readonly addStandby: () => Promise<void>;
  /** From here on the standby hears nothing. */
  readonly lag: () => void;
  /** Kills the primary; whoever connects from here on finds the standby, which is promoted. */
  readonly failOver: () => Promise<void>;
}

const portOf = ({ url }: OwnPostgres): number => Number(new URL(url).port);

/** A primary and a standby behind one address. What the primary commits while the standby lags is lost with it. */
export async function startFailoverPostgres(): Promise<FailoverPostgres> {
  let primary = await startOwnPostgres();
  let standby: OwnPostgres | undefined;
  const servers = [primary];
  const front = await openSwitchedPort(portOf(primary));
  const wal = await openSwitchedPort(portOf(primary));

  const addStandby = async (): Promise<void> => {
    wal.switchTo(portOf(primary));
    standby = await startOwnPostgres(undefined, { standbyOf: wal.port });
    servers.push(standby);
    await untilFollowing(primary);
  };
  const failOver = async (): Promise<void> => {
    if (standby === undefined) throw new Error('there is no standby');
    await primary.kill();
    wal.switchTo(undefined);
    await onDatabase(standby.url, (client) => client.query('select pg_promote(true, 60)'));
    primary = standby;
    standby = undefined;
    front.switchTo(portOf(primary));
  };
  const url = `postgres://postgres@127.0.0.1:${front.port}/postgres`;
  return {
    name: 'PostgreSQL',
    url,
    addStandby,
    lag: wal.stall,
    failOver,
    start: () => primary.start(),
    kill: async (signal) => {
      for (const server of servers) await server.kill(signal);
    },
    remove: async () => {
      await front.close();
      await wal.close();
      for (const server of servers) await server.remove();
    },
  };
}

async function untilFollowing(primary: OwnPostgres): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { rows } = await onDatabase(primary.url, (client) =>
      client.query(`select 1 from pg_stat_replication where state = 'streaming'`),
    );
    if (rows.length > 0) return;
    await pause(50);
  }
  throw new Error('the standby does not follow');
}
