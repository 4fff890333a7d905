import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';

/** What is out of the ordinary with a message, as its row keeps it. */
export interface HistoryEntry {
  readonly at: Date;
  readonly what: 'deferred' | 'refused' | 'bounced' | 'complained';
  readonly code?: string | undefined;
  readonly reply?: string | undefined;
}

// Whoever can bounce a message can do it for ever; nobody reads more than this of it.
const longestHistory = 50;
const longestReply = 500;
const longestCode = 20;

/** One more entry for a row's history, as SQL that answers the new value. */
export const withEntry = ({ at, what, code, reply }: HistoryEntry) => sql`
  case when jsonb_array_length(history) < ${longestHistory}
    then history || ${JSON.stringify([{ at, what, code: codeOf(code), reply: keepable(reply, longestReply) }])}::jsonb
    else history end`;

/**
 * That a message waits somewhere on its way. Mail servers say so again and again; once for each code is enough. Answers
 * whether it was news.
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

/** Somebody else's words as they can be kept: no control characters, which PostgreSQL refuses in part, and no halves. */
const keepable = (text: string | undefined, most: number): string | undefined =>
  text
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();

export const codeOf = (text: string | undefined): string | undefined => keepable(text, longestCode);
