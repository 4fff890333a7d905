import { sql, type RawBuilder } from 'kysely';
import type { Work } from '../../../database/work.ts';

/** An unusual event of a message, as its row stores it. */
export interface HistoryEntry {
  readonly at: Date;
  readonly what: 'deferred' | 'refused' | 'bounced' | 'complained';
  readonly code?: string | undefined;
  readonly reply?: string | undefined;
}

// A server can bounce a message any number of times; entries beyond this limit are dropped.
const longestHistory = 50;
const longestReply = 500;
const longestCode = 20;

/** An SQL expression for a row's history with one more entry. */
export const withEntry = ({ at, what, code, reply }: HistoryEntry) => sql`
  case when jsonb_array_length(history) < ${longestHistory}
    then history || ${JSON.stringify([{ at, what, code: codeOf(code), reply: keepable(reply, longestReply) }])}::jsonb
    else history end`;

/** An SQL entry: somebody wanted it sent again, and it was not, for that reason. */
export const notResent = (at: Date, reason: RawBuilder<unknown>) =>
  sql`jsonb_build_object('at', ${at.toISOString()}::text, 'what', 'not_resent', 'code', ${reason})`;

/**
 * Records that a message is delayed on its way. Mail servers repeat such reports; one entry for each code is enough.
 * Returns whether it was new.
 */
export async function noteDelay(
  { db, org, now }: Work,
  { delivery, code, reply }: { delivery: number; code?: string | undefined; reply?: string | undefined },
): Promise<boolean> {
  const known = JSON.stringify([{ what: 'deferred', ...(code !== undefined && { code: codeOf(code) }) }]);
  const { numAffectedRows } = await sql`
    update deliveries set history = ${withEntry({ at: now, what: 'deferred', code, reply })}
    where org_id = ${org} and id = ${delivery} and person_id is not null and not history @> ${known}::jsonb
      and jsonb_array_length(history) < ${longestHistory}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * Text from outside in a form that can be stored: no control characters, some of which PostgreSQL refuses, and no lone
 * surrogates.
 */
const keepable = (text: string | undefined, most: number): string | undefined =>
  text
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();

export const codeOf = (text: string | undefined): string | undefined => keepable(text, longestCode);
