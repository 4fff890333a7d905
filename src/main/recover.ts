import { sql } from 'kysely';
import { readSending, releaseSending } from '../database/held-sending.ts';
import { orgTransaction, relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import type { FencedWindow, LastWindow } from '../domain/broadcasts/sending/fence.ts';
import { restateEngine } from '../durable/engine.ts';
import { noticeGoingBack } from '../durable/history-object.ts';
import { systemClock } from '../kernel/clock.ts';
import { OrgId } from '../kernel/ids.ts';
import { say } from './arguments.ts';
import { queryAdmin } from './restate-admin.ts';
import { readDatabaseConfig, withDatabase } from './with-database.ts';

/** rostrum recover: tells whether sending is held and what the database forgot; releases it if asked to. */
export async function recover({ release }: { readonly release: boolean }): Promise<void> {
  const { RESTATE_ADMIN_URL, RESTATE_INGRESS_URL } = readDatabaseConfig();
  await withDatabase(async (database) => {
    const { held_at, held_because } = await relayTransaction(database, readSending);
    say(
      held_at === null
        ? 'Sending is not held.'
        : `Sending is held since ${held_at.toISOString()}. ${held_because ?? ''}`,
    );
    say(await tellForgotten(database, RESTATE_ADMIN_URL));
    if (held_at === null) return;
    if (!release) {
      say(
        'rostrum recover --release lets sending continue. Recipients whose records were lost become uncertain.',
      );
      return;
    }
    // From here on the database counts as far as the engine, or the next sweep would hold again for the same reason.
    await noticeGoingBack(database, restateEngine(RESTATE_INGRESS_URL), systemClock.now());
    await relayTransaction(database, (db) => releaseSending(db, systemClock.now()));
    say('Released. Lanes continue within ten seconds.');
  });
}

async function tellForgotten(database: Database, adminUrls: readonly string[]): Promise<string> {
  try {
    const { recipients, broadcasts } = await countForgotten(database, adminUrls);
    return `${recipients} recipients of ${broadcasts} broadcasts were handed over and are not known here.`;
  } catch (error) {
    return `How many recipients were handed over and are not known here cannot be told: ${(error as Error).message}`;
  }
}

/** Counts recipients in windows that the fences noted and the database lacks. */
async function countForgotten(
  database: Database,
  adminUrls: readonly string[],
): Promise<{ recipients: number; broadcasts: number }> {
  const counted = { recipients: 0, broadcasts: 0 };
  for (const { service_key, value } of await readFences(adminUrls, "key = 'last'")) {
    const isForgotten = await unknownAmong(database, service_key, value as LastWindow[]);
    if (isForgotten.length === 0) continue;
    const windows = await readFences(
      adminUrls,
      `key <> 'last' and service_key = '${service_key.replaceAll("'", "''")}'`,
    );
    const lanes = Map.groupBy(
      windows.map((row) => row.value as FencedWindow),
      ({ lane }) => lane,
    );
    for (const inLane of lanes.values()) {
      const unknown = await unknownAmong(database, service_key, inLane);
      // Those below a known one are none: tidying deleted them.
      const known = Math.max(
        0,
        ...inLane.filter((one) => !unknown.includes(one)).map(({ number }) => number),
      );
      for (const { number, recipients } of unknown)
        if (number > known) counted.recipients += recipients.length;
    }
    counted.broadcasts += 1;
  }
  return counted;
}

async function unknownAmong<Window extends { readonly claim: string }>(
  database: Database,
  fenced: string,
  windows: readonly Window[],
): Promise<Window[]> {
  const org = OrgId.parse(fenced.split('/')[0]);
  const known = await orgTransaction(database, org, 'read', async (db) => {
    const { rows } = await sql<{ claim: string }>`
      select claim from delivery_windows
      where org_id = ${org} and claim = any(${windows.map(({ claim }) => claim)}::uuid[])`.execute(db);
    return new Set(rows.map(({ claim }) => claim));
  });
  return windows.filter(({ claim }) => !known.has(claim));
}

interface FenceRow {
  readonly service_key: string;
  readonly value: unknown;
}

async function readFences(adminUrls: readonly string[], where: string): Promise<FenceRow[]> {
  const rows = await queryAdmin<{ service_key: string; value_utf8: string }>(
    adminUrls,
    `select service_key, value_utf8 from state where service_name = 'Fence' and ${where}`,
  );
  return rows.map((row) => ({ service_key: row.service_key, value: JSON.parse(row.value_utf8) as unknown }));
}
