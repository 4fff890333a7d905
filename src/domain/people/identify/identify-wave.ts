import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { meanwhile } from '../../../kernel/meanwhile.ts';
import { shareNumbers } from '../../identifiers/hold-numbers.ts';
import { refreshPrimariesOf } from '../../identifiers/refresh-primaries.ts';
import { hashesAmong, rememberedAmong } from '../../identifiers/suppressed-address.ts';
import { writeAudit } from '../../orgs/audit.ts';
import { forWritten, writtenFields, type WrittenField } from '../../person-fields/fields.ts';
import type { PropertyScalar } from '../../properties/property-value.ts';
import { setValuesOf } from '../../properties/set-values.ts';
import { attachToMany } from './give-identifiers.ts';
import { mergePeople } from '../merge/merge-people.ts';
import { optOutMany } from './opt-out-many.ts';
import {
  saysAnything,
  takeFields,
  writtenColumns,
  type PersonSent,
  type SentFields,
  type SentIdentifier,
} from './sent-person.ts';

/** What is to be written about one person. */
interface Told {
  readonly id: PersonId;
  readonly isNew: boolean;
  readonly gains: SentIdentifier[];
  fields: SentFields;
  readonly changes: Record<string, PropertyScalar>;
  /** How many gains came before their opt-out of email. */
  optsOutAfter: number | undefined;
}

interface Merge {
  readonly survivor: PersonId;
  readonly losers: readonly PersonId[];
}

/**
 * Collects what is said about people and writes it at once: merges first, then everything else. So a person must not
 * have anything collected when they take part in a merge: the caller writes that first.
 */
export class Wave {
  readonly #told = new Map<PersonId, Told>();
  readonly #merges: Merge[] = [];

  hasToldOf(people: readonly PersonId[]): boolean {
    return people.some((person) => this.#told.has(person));
  }

  merge(survivor: PersonId, losers: readonly PersonId[]): void {
    this.#merges.push({ survivor, losers });
  }

  /** `gains` are the identifiers without a holder. The first value of a field stands, and the last of a property. */
  tell(id: PersonId, isNew: boolean, gains: readonly SentIdentifier[], sent: PersonSent): void {
    const { fields, values, optsOut } = sent;
    let told = this.#told.get(id);
    if (told === undefined) {
      const changes = {};
      told = {
        id,
        isNew,
        gains: [],
        fields: takeFields({}),
        changes,
        optsOutAfter: undefined,
      };
      this.#told.set(id, told);
    }
    told.gains.push(...gains);
    const before = told.fields;
    told.fields = forWritten((_, field) => before[field] ?? fields[field]);
    Object.assign(told.changes, values);
    if (optsOut) told.optsOutAfter ??= told.gains.length;
  }

  /** Returns how many people were not opted out of email until they asked here. */
  async write(work: Work): Promise<number> {
    for (const { survivor, losers } of this.#merges) {
      const merging = { ...work, touched: { person_id: survivor } };
      await mergePeople(merging, survivor, losers);
      await writeAudit(merging, 'import_merge');
    }
    const people = [...this.#told.values()];
    const known = people.filter(({ isNew }) => !isNew);
    await attachToMany(work, people);
    await fillFields(work, known);
    await refreshPrimariesOf(
      work,
      known.filter(({ gains }) => gains.length > 0).map(({ id }) => id),
    );
    const given = people.flatMap(({ gains }) => gains);
    const setting = setValuesOf(
      work,
      people.map(({ id, isNew, changes }) => ({ person_id: id, isNew, changes })),
    );
    const hashes = await meanwhile(setting, () => hashesAmong(work, given));
    await shareNumbers(work, given);
    const remembered = await rememberedAmong(work, hashes);
    return optOutMany(work, people, remembered);
  }
}

/** Fills the fields that people lack, of those that callers write. */
async function fillFields(work: Work, people: readonly Told[]): Promise<void> {
  const filled = people.filter(({ fields }) => saysAnything(fields));
  if (filled.length === 0) return;
  const ids = filled.map(({ id }) => id);
  const listOf = (field: WrittenField) => sql`${filled.map(({ fields }) => fields[field])}::text[]`;
  await sql`
    update people p set ${fillings}, updated_at = ${work.now}
    from unnest(${ids}::uuid[], ${sql.join(writtenFields.map(listOf))}) as n(id, ${writtenColumns()})
    where p.org_id = ${work.org} and p.id = any(${ids}::uuid[]) and p.id = n.id and (${lacking})`.execute(
    work.db,
  );
}

const fillings = sql.raw(writtenFields.map((name) => `${name} = coalesce(p.${name}, n.${name})`).join(', '));
const lacking = sql.raw(
  writtenFields.map((name) => `(p.${name} is null and n.${name} is not null)`).join(' or '),
);
