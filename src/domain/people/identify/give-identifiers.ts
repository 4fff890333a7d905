import { sql } from 'kysely';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import { newId, type IdentifierId } from '../../../kernel/ids.ts';
import { meanwhile } from '../../../kernel/meanwhile.ts';
import { shareNumbers } from '../../identifiers/hold-numbers.ts';
import { refreshPrimariesOf } from '../../identifiers/refresh-primaries.ts';
import { roomFor } from '../../identifiers/room-for.ts';
import { hashesAmong, rememberedAmong } from '../../identifiers/suppressed-address.ts';
import { contactTypes } from './create-person.ts';
import { insertPeople, type IdentifierGain } from './insert-people.ts';
import { suppressAgain } from './opt-out-many.ts';

/** Creates people and attaches identifiers to many at once; opts out people who bring a suppressed address. */
export async function giveIdentifiers(work: Work, gaining: readonly IdentifierGain[]): Promise<void> {
  await attachToMany(work, gaining);
  await refreshPrimariesOf(
    work,
    gaining.flatMap(({ id, isNew }) => (isNew ? [] : id)),
  );
  const given = gaining.flatMap(({ gains }) => gains);
  await shareNumbers(work, given);
  const remembered = await rememberedAmong(work, hashesAmong(work, given));
  await suppressAgain(work, gaining, remembered);
}

/**
 * Inserts all values in one statement and one order: calls that race for the same values wait in one direction only,
 * and the second one starts over. Leaves out values without room. The caller refreshes the rows of people who existed
 * before.
 */
export async function attachToMany(work: Work, gaining: readonly IdentifierGain[]): Promise<void> {
  const room = await roomFor(
    work,
    gaining.flatMap(({ id, isNew, gains }) => (isNew || gains.length === 0 ? [] : id)),
  );
  const inserting = insertPeople(
    work,
    gaining.filter(({ isNew }) => isNew),
  );
  const rows = await meanwhile(inserting, () =>
    gaining.flatMap(({ id, isNew, gains }) =>
      gains.slice(0, room(id)).map(({ type, value, typed }, index) => ({
        id: newId<IdentifierId>(work.now),
        person_id: id,
        type,
        value,
        typed,
        contact: contactTypes.has(type),
        first: gains.findIndex((one) => one.type === type) === index,
        known: !isNew,
      })),
    ),
  );
  if (rows.length === 0) return;
  // Without ON CONFLICT, which looks through every unique index before it writes to it.
  await sql`
    insert into identifiers
      (org_id, id, person_id, type, value, typed, is_contact_method, is_primary_for_type, created_at)
    select ${work.org}, g.id, g.person_id, g.type, g.value, g.typed, g.contact, g.first and has.person_id is null,
      ${work.now}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as g(id uuid, person_id uuid, type text, value text, typed text, contact boolean, first boolean, known boolean)
    left join lateral (
      select p.person_id from identifiers p
      where p.org_id = ${work.org} and p.person_id = g.person_id and p.type = g.type and p.is_primary_for_type limit 1
    ) has on g.known
    order by g.type collate "C", g.value collate "C"`
    .execute(work.db)
    .catch((error: unknown) => {
      throw isTaken(error) ? new TryAgain() : error;
    });
}

/** Whether another transaction was faster with one of the values. Looking again finds its holder. */
function isTaken(error: unknown): boolean {
  const { code, constraint } = error as { readonly code?: string; readonly constraint?: string };
  return code === '23505' && constraint?.startsWith('identifiers_') === true;
}
