import { sql } from 'kysely';
import { TryAgain } from '../../database/org-transaction.ts';
import type { Work } from '../../database/work.ts';
import { newId, type PersonId } from '../../kernel/ids.ts';
import { giveIdentifiers, type Gaining } from './give-identifiers.ts';
import { keyOf } from './resolve-person.ts';
import type { SentIdentifier } from './sent-person.ts';

/**
 * Who each of these is, as findOrCreate would find out one after another: what one brings, the next already finds. One
 * question for all of them; only those who are made or gain something take more. `others` are people whom the caller
 * relies on as well, so that everybody is held in one order.
 */
export async function findOrCreateMany(
  work: Work,
  all: readonly (readonly SentIdentifier[])[],
  others: readonly PersonId[],
): Promise<PersonId[]> {
  const holders = await findAll(work, all.flat());
  const meant = all.map((sent) => {
    const found = sent.map((one) => holders.get(keyOf(one))).find((holder) => holder !== undefined);
    const somebody = found ?? { id: newId<PersonId>(work.now), isNew: true, gains: [] };
    for (const one of sent) {
      if (holders.has(keyOf(one))) continue;
      holders.set(keyOf(one), somebody);
      somebody.gains.push(one);
    }
    return somebody;
  });
  const gaining = [...new Set(meant)].filter(({ gains }) => gains.length > 0);
  if (gaining.length > 0) {
    const known = [...new Set([...meant.flatMap(({ id, isNew }) => (isNew ? [] : id)), ...others])];
    await holdPeople(work, known, gaining.some(({ isNew }) => !isNew) ? 'update' : 'key share');
    await giveIdentifiers(work, gaining);
  }
  return meant.map(({ id }) => id);
}

async function findAll(work: Work, sent: readonly SentIdentifier[]): Promise<Map<string, Gaining>> {
  const { rows } = await sql<SentIdentifier & { person_id: PersonId }>`
    select i.type, i.value, i.person_id
    from (select distinct type, value from unnest(
      ${sent.map(({ type }) => type)}::text[], ${sent.map(({ value }) => value)}::text[]) as s(type, value)) sent
    join identifiers i on i.org_id = ${work.org} and i.type = sent.type and i.value = sent.value`.execute(
    work.db,
  );
  const people = new Map<PersonId, Gaining>(
    rows.map(({ person_id }) => [person_id, { id: person_id, isNew: false, gains: [] }]),
  );
  return new Map(rows.map((row) => [keyOf(row), people.get(row.person_id)!]));
}

async function holdPeople(
  { db, org }: Work,
  ids: readonly PersonId[],
  how: 'update' | 'key share',
): Promise<void> {
  if (ids.length === 0) return;
  const query = db
    .selectFrom('people')
    .select('id')
    .where('org_id', '=', org)
    .where('id', 'in', ids)
    .orderBy('id');
  const held = await (how === 'update' ? query.forUpdate() : query.forKeyShare()).execute();
  if (held.length !== ids.length) throw new TryAgain();
}
