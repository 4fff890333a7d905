import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { shareNumbers } from '../identifiers/hold-numbers.ts';
import { refreshPrimariesOf } from '../identifiers/refresh-primaries.ts';
import { rememberedAmong } from '../identifiers/suppressed-address.ts';
import { writeAudit } from '../orgs/audit.ts';
import type { PropertyScalar } from '../properties/property-value.ts';
import { setValuesOf } from '../properties/set-values.ts';
import { attachToMany } from './give-identifiers.ts';
import { mergePeople } from './merge-people.ts';
import { optOutMany } from './opt-out-many.ts';
import type { PersonSent, SentIdentifier } from './sent-person.ts';

/** What is to be written about somebody. */
interface Told {
  readonly id: PersonId;
  readonly isNew: boolean;
  readonly gains: SentIdentifier[];
  readonly names: { first_name: string | null; last_name: string | null };
  readonly changes: Record<string, PropertyScalar>;
  /** After how many gains they opted out of email. */
  optsOutAfter: number | undefined;
}

interface Merge {
  readonly survivor: PersonId;
  readonly losers: readonly PersonId[];
}

/**
 * What was said of people one after another, gathered until it is written at once: merges first, then everything else.
 * So nothing may be told of somebody before they take part in a merge; what was must be written first.
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

  /** `gains` are those of its identifiers that nobody holds. Of names the first stands, of values the last. */
  tell(id: PersonId, isNew: boolean, gains: readonly SentIdentifier[], sent: PersonSent): void {
    const { names, values, optsOut } = sent;
    let told = this.#told.get(id);
    if (told === undefined) {
      const changes = {};
      told = {
        id,
        isNew,
        gains: [],
        names: { first_name: null, last_name: null },
        changes,
        optsOutAfter: undefined,
      };
      this.#told.set(id, told);
    }
    told.gains.push(...gains);
    told.names.first_name ??= names.first_name;
    told.names.last_name ??= names.last_name;
    Object.assign(told.changes, values);
    if (optsOut) told.optsOutAfter ??= told.gains.length;
  }

  /** Answers how many people were not opted out of email until this said so. */
  async write(work: Work): Promise<number> {
    for (const { survivor, losers } of this.#merges) {
      const merging = { ...work, touched: { person_id: survivor } };
      await mergePeople(merging, survivor, losers);
      await writeAudit(merging, 'import_merge');
    }
    const people = [...this.#told.values()];
    const known = people.filter(({ isNew }) => !isNew);
    await attachToMany(work, people);
    await fillNames(work, known);
    await refreshPrimariesOf(
      work,
      known.filter(({ gains }) => gains.length > 0).map(({ id }) => id),
    );
    await setValuesOf(
      work,
      people.map(({ id, changes }) => ({ person_id: id, changes })),
    );
    const given = people.flatMap(({ gains }) => gains);
    await shareNumbers(work, given);
    const remembered = await rememberedAmong(work, given);
    return optOutMany(work, people, remembered);
  }
}

/** Names that people lack. */
async function fillNames(work: Work, people: readonly Told[]): Promise<void> {
  const named = people.filter(({ names }) => (names.first_name ?? names.last_name) !== null);
  if (named.length === 0) return;
  const ids = named.map(({ id }) => id);
  await sql`
    update people p set
      first_name = coalesce(p.first_name, n.first_name),
      last_name = coalesce(p.last_name, n.last_name),
      updated_at = ${work.now}
    from unnest(${ids}::uuid[], ${named.map(({ names }) => names.first_name)}::text[],
      ${named.map(({ names }) => names.last_name)}::text[]) as n(id, first_name, last_name)
    where p.org_id = ${work.org} and p.id = any(${ids}::uuid[]) and p.id = n.id
      and ((p.first_name is null and n.first_name is not null)
        or (p.last_name is null and n.last_name is not null))`.execute(work.db);
}
