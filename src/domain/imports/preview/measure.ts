import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { ImportId, PersonId } from '../../../kernel/ids.ts';
import { breather, type Breathe } from '../../../kernel/breather.ts';
import { readCountry } from '../../orgs/default-country.ts';
import { Fingerprint, type Digests } from './fingerprint.ts';
import type { ImportRow, MergePolicy } from '../record/import.ts';
import { readMappedConfigs, type MappedConfigs } from './mapped-configs.ts';
import type { Mapping } from '../record/mapping.ts';
import { readChunk, type ReadRows } from './read-chunk.ts';
import { Tally } from './tally.ts';

/** What is read at once is parsed at once, which is long for others. A part of a list is unpacked for each chunk in it. */
const chunkRows = { alone: 500, crowded: 100 };

export interface Measured {
  readonly tally: Tally;
  readonly configs: MappedConfigs;
  readonly digests: Digests;
}

/**
 * What a commit would do, and digests of everything that decides it. Writes nothing. Reads rows in chunks; a chunk
 * takes five queries, however many rows it has. The next chunk is read while one is counted.
 */
export async function measure(
  work: Work,
  row: ImportRow,
  policy: MergePolicy,
  mostRows?: number,
): Promise<Measured> {
  const mapping = row.mapping as unknown as Mapping;
  const configIds = mapping.properties.map(({ config_id }) => config_id);
  const configs = await readMappedConfigs(work, mapping);
  const country = await readCountry(work);
  const tally = new Tally(policy);
  const fingerprint = new Fingerprint();
  const read = (after: number) => {
    const most = mostRows ?? chunkRows[work.isCrowded?.() === true ? 'crowded' : 'alone'];
    const which = { id: row.id as ImportId, after, mostRows: most, configIds, country };
    return readChunk(work, which, (person) => tally.knows(person));
  };
  for (let chunk = await read(0); chunk !== undefined;) {
    const next = read(chunk.upTo);
    const counted = countRows(chunk, tally, fingerprint, breather(work.isCrowded));
    await Promise.allSettled([next, counted]); // nothing goes on once one of them has failed
    await counted;
    chunk = await next;
  }
  return { tally, configs, digests: fingerprint.digests(configs.digest) };
}

async function countRows(
  { rows, sent, held, people, remembered, found }: ReadRows,
  tally: Tally,
  fingerprint: Fingerprint,
  breathe: Breathe,
): Promise<void> {
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
