import { sql } from 'kysely';
import type { Database } from '../../src/database/pool.ts';
import type { Work } from '../../src/database/work.ts';
import { identifyMany, type IdentifiedMany } from '../../src/domain/people/identify/identify-many.ts';
import { optOut } from '../../src/domain/people/opt-outs/opt-outs.ts';
import { findHolders, resolvePerson } from '../../src/domain/people/identify/resolve-person.ts';
import { takeFields, type PersonSent } from '../../src/domain/people/identify/sent-person.ts';
import { applyChanges } from '../../src/domain/properties/apply-changes.ts';
import { requestChanges } from '../../src/domain/properties/request-changes.ts';
import { properties } from './arrange-list.ts';
import type { Line, List } from './identify-list.ts';

type Counts = { -readonly [K in keyof IdentifiedMany]: IdentifiedMany[K] } & {
  outcomes: ('done' | 'merges')[];
};
/** Does something in a transaction of its own, so many seconds after the list began. */
export type RunInTurn = <T>(second: number, handle: (work: Work) => Promise<T>) => Promise<T>;
export type Merges = 'leave_out' | 'allow';

const newCounts = (): Counts => ({ outcomes: [], created: 0, merged: 0, optedOut: 0 });

function toSent({ identifiers, first_name, last_name, values, optsOut }: Line): PersonSent {
  const changes = values.flatMap((value, place) =>
    value === undefined ? [] : [[properties[place]!.id, value]],
  );
  return {
    identifiers,
    fields: takeFields({ first_name, last_name }),
    values: Object.fromEntries(changes),
    optsOut,
  };
}

/** As one call of identify_person after another, each followed by what the engine and an opt-out do. */
export async function goOneByOne(
  database: Database,
  inTurn: RunInTurn,
  { lines }: List,
  merges: Merges,
): Promise<Counts> {
  const counts = newCounts();
  for (const [second, line] of lines.entries()) {
    const { identifiers, fields, values, optsOut } = toSent(line);
    const due = await inTurn(second, async (work) => {
      const holders = await findHolders(work, identifiers);
      const found = new Set([...holders.values()].map(({ person_id }) => person_id)).size;
      const leftOut = found > 1 && merges === 'leave_out';
      counts.outcomes.push(leftOut ? 'merges' : 'done');
      if (leftOut) return undefined;
      const { person_id, created } = await resolvePerson(work, identifiers, fields);
      if (created) counts.created++;
      else counts.merged += found - 1;
      await requestChanges(work, person_id, values);
      return { org: work.org, person_id, change: work.touched['property_change_id'] as string | undefined };
    });
    if (due === undefined) continue;
    if (due.change !== undefined) await applyChanges(database, due.org, due.change);
    if (!optsOut) continue;
    await inTurn(second, async (work) => {
      const { rows } = await sql<{ out: boolean }>`select exists (select 1 from opt_outs
        where org_id = ${due.org} and person_id = ${due.person_id} and email_opt_out) as out`.execute(
        work.db,
      );
      if (rows[0]?.out === false) counts.optedOut++;
      await optOut(work, due.person_id, 'email');
    });
  }
  return counts;
}

/** The same list in chunks. */
export async function goInChunks(
  inTurn: RunInTurn,
  { lines, chunks }: List,
  merges: Merges,
): Promise<Counts> {
  const counts = newCounts();
  const sizes = chunks.concat(lines.length).values();
  for (let from = 0; from < lines.length;) {
    const chunk = lines.slice(from, from + sizes.next().value!);
    const done = await inTurn(from, (work) =>
      identifyMany(work, chunk.map(toSent), () => merges === 'allow'),
    );
    counts.outcomes.push(...done.outcomes);
    counts.created += done.created;
    counts.merged += done.merged;
    counts.optedOut += done.optedOut;
    from += chunk.length;
  }
  return counts;
}
