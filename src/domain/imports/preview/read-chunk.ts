import type { Work } from '../../../database/work.ts';
import { breather, type Breathe } from '../../../kernel/breather.ts';
import type { ImportId, PersonId } from '../../../kernel/ids.ts';
import { meanwhile } from '../../../kernel/meanwhile.ts';
import { hashesAmong, rememberedAmong, type Remembered } from '../../identifiers/suppressed-address.ts';
import { holdersOf, type HeldIdentifier } from '../../people/identify/holders-of.ts';
import { keyOf } from '../../people/identify/resolve-person.ts';
import type { SentIdentifier } from '../../people/identify/sent-person.ts';
import { identifiersOf, type StagedRow } from '../record/staged-row.ts';
import { readStaged, type StagedRows } from '../record/staged-rows.ts';
import { readPeople, type KnownPerson } from './known-people.ts';

/** A hash takes two microseconds, and an address up to two hashes for every secret. */
const addressesAtOnce = 50;

interface Which {
  readonly id: ImportId;
  readonly after: number;
  readonly mostRows: number;
  readonly configIds: readonly (string | null)[];
  readonly country: string | null;
}

/** Staged rows with everything stored that decides what becomes of them. */
export interface ReadRows extends StagedRows {
  /** What each row sends, in lookup order. */
  readonly sent: readonly (readonly SentIdentifier[])[];
  /** Who holds each of these. */
  readonly held: readonly (readonly (PersonId | undefined)[])[];
  readonly found: readonly HeldIdentifier[];
  readonly people: ReadonlyMap<PersonId, KnownPerson>;
  readonly remembered: Remembered;
}

/** The next rows, or undefined when none are left. People who are `known` by now are not read again. */
export async function readChunk(
  work: Work,
  { id, after, mostRows, configIds, country }: Which,
  known: (person: PersonId) => boolean,
): Promise<ReadRows | undefined> {
  const staged = await readStaged(work, id, { after, mostRows });
  if (staged === undefined) return undefined;
  const breathe = breather(work.isCrowded);
  const sent = await identifiersOfAll(staged.rows, country, breathe);
  const found = await holdersOf(work, sent.flat());
  const holders = new Map(found.map((one) => [keyOf(one), one.person_id]));
  const held = sent.map((own) => own.map((one) => holders.get(keyOf(one))));
  const reading = readPeople(
    work,
    [...new Set(holders.values())].filter((person) => !known(person)),
    configIds,
  );
  // Only identifiers without a holder can be attached.
  const unheld = sent.flatMap((own, index) => own.filter((_, at) => held[index]![at] === undefined));
  const hashes = await meanwhile(reading, () => hashesOfAll(work, unheld, breathe));
  const remembered = await rememberedAmong(work, hashes);
  return { ...staged, sent, held, found, people: await reading, remembered };
}

async function identifiersOfAll(
  rows: readonly StagedRow[],
  country: string | null,
  breathe: Breathe,
): Promise<SentIdentifier[][]> {
  const sent: SentIdentifier[][] = [];
  for (const row of rows) {
    await breathe();
    sent.push(identifiersOf(row, country));
  }
  return sent;
}

async function hashesOfAll(
  work: Work,
  addresses: readonly SentIdentifier[],
  breathe: Breathe,
): Promise<Buffer[]> {
  const hashes: Buffer[] = [];
  for (let at = 0; at < addresses.length; at += addressesAtOnce) {
    await breathe();
    hashes.push(...hashesAmong(work, addresses.slice(at, at + addressesAtOnce)));
  }
  return hashes;
}
