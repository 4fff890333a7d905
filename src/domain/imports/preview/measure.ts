import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { ImportId, PersonId } from '../../../kernel/ids.ts';
import { breather } from '../../../kernel/breather.ts';
import { rememberedAmong } from '../../identifiers/suppressed-address.ts';
import { readCountry } from '../../orgs/default-country.ts';
import { holdersOf } from '../../people/identify/holders-of.ts';
import { keyOf } from '../../people/identify/resolve-person.ts';
import { Fingerprint, type Digests } from './fingerprint.ts';
import type { ImportRow, MergePolicy } from '../record/import.ts';
import { readPeople } from './known-people.ts';
import { readMappedConfigs, type MappedConfigs } from './mapped-configs.ts';
import type { Mapping } from '../record/mapping.ts';
import { identifiersOf, type StagedRow } from '../record/staged-row.ts';
import { readStaged } from '../record/staged-rows.ts';
import { Tally } from './tally.ts';

/** A row takes some 50 microseconds. */
const rowsABreath = 50;

export interface Measured {
  readonly tally: Tally;
  readonly configs: MappedConfigs;
  readonly digests: Digests;
}

/**
 * What a commit would do, and digests of everything that decides it. Writes nothing. Reads rows in chunks; a chunk
 * takes four queries, however many rows it has.
 */
export async function measure(
  work: Work,
  row: ImportRow,
  policy: MergePolicy,
  mostRows = 1_000,
): Promise<Measured> {
  const mapping = row.mapping as unknown as Mapping;
  const configIds = mapping.properties.map(({ config_id }) => config_id);
  const configs = await readMappedConfigs(work, mapping);
  const country = await readCountry(work);
  const tally = new Tally(policy);
  const fingerprint = new Fingerprint();
  for (let after = 0; ;) {
    const staged = await readStaged(work, row.id as ImportId, { after, mostRows });
    if (staged === undefined) break;
    await measureRows(work, staged.rows, { configIds, country }, tally, fingerprint);
    after = staged.upTo;
  }
  return { tally, configs, digests: fingerprint.digests(configs.digest) };
}

async function measureRows(
  work: Work,
  rows: readonly StagedRow[],
  { configIds, country }: { readonly configIds: readonly (string | null)[]; readonly country: string | null },
  tally: Tally,
  fingerprint: Fingerprint,
): Promise<void> {
  const breathe = breather(rowsABreath);
  const sent: ReturnType<typeof identifiersOf>[] = [];
  for (const row of rows) {
    await breathe();
    sent.push(identifiersOf(row, country));
  }
  const found = await holdersOf(work, sent.flat());
  const holders = new Map(found.map((one) => [keyOf(one), one.person_id]));
  const held = sent.map((own) => own.map((one) => holders.get(keyOf(one))));
  const unmet = [...new Set(holders.values())].filter((id) => !tally.knows(id));
  const people = await readPeople(work, unmet, configIds);
  // Only identifiers without a holder can be attached.
  const remembered = await rememberedAmong(
    work,
    sent.flatMap((own, index) => own.filter((_, at) => held[index]![at] === undefined)),
  );
  for (const one of found) tally.holds(one.person_id, one);
  for (const [index, row] of rows.entries()) {
    await breathe();
    const [own, by] = [sent[index]!, held[index]!];
    for (const person of by) meet(person);
    fingerprint.row(
      row.row,
      by,
      own.map((one, at) => (by[at] === undefined ? remembered(one) : undefined)),
    );
    tally.take(row, own, remembered);
  }

  function meet(person: PersonId | undefined): void {
    if (person === undefined || tally.knows(person)) return;
    const known = people.get(person);
    if (known === undefined) throw new TryAgain(); // deleted since the holders were read
    tally.meet(known);
    fingerprint.person(known);
  }
}
