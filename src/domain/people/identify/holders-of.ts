import { sql } from 'kysely';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { SentIdentifier } from './sent-person.ts';

export interface HeldIdentifier extends SentIdentifier {
  readonly person_id: PersonId;
}

/**
 * Who holds which of many identifiers, in one query. Looks each up in the index of single holders, whatever the planner
 * estimates: left to choose, it took 16 s for 3,000 values among 10,000 people, not 75 ms.
 */
export async function holdersOf(work: Work, sent: readonly SentIdentifier[]): Promise<HeldIdentifier[]> {
  const { rows } = await sql<HeldIdentifier>`
    select sent.type, sent.value, i.person_id
    from (select distinct type, value from unnest(
      ${sent.map(({ type }) => type)}::text[], ${sent.map(({ value }) => value)}::text[]) as s(type, value)) sent
    join lateral (
      select person_id from identifiers
      where org_id = ${work.org} and type = sent.type and value = sent.value and ${singlyHeld} limit 1
    ) i on true`.execute(work.db);
  return rows;
}

/** The condition of the index of values that have one holder. */
const singlyHeld = sql`type not in ('full_name', 'chat_channel')`;

/** Requires that the people who held these before they were locked still do. */
export async function assertHolders(work: Work, held: readonly HeldIdentifier[]): Promise<void> {
  if (held.length === 0) return;
  const { rows } = await sql<{ still: number }>`
    select count(*) as still
    from unnest(${held.map(({ type }) => type)}::text[], ${held.map(({ value }) => value)}::text[],
      ${held.map(({ person_id }) => person_id)}::uuid[]) as h(type, value, person_id)
    join lateral (
      select from identifiers
      where org_id = ${work.org} and type = h.type and value = h.value and person_id = h.person_id limit 1
    ) i on true`.execute(work.db);
  if (rows[0]?.still !== held.length) throw new TryAgain();
}
