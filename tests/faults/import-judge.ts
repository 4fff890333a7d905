import { tell } from '../../benches/support/command.ts';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import type { GetImport, Previewed } from './import-course.ts';
import type { FileRow } from './import-file.ts';
import type { ImportModel, ModelCounts, Said } from './import-model.ts';
import { lineOf, readPeople, storedLineOf } from './import-people.ts';
import type { PatientRows } from './workflow-rows.ts';

/** An import that is over, and what it was to do. */
export interface Done {
  readonly file: readonly FileRow[];
  readonly merges: 'allow' | 'skip_rows';
  readonly previewed: Previewed;
  readonly last: GetImport;
}

const shown = 5;

/** What is wrong about an import as it says itself, and in the rows it left out. */
export async function judgeImport(rows: PatientRows, model: ImportModel, done: Done): Promise<string[]> {
  const { file, merges, last, previewed } = done;
  const accepted = new Map<number, Said>();
  const rejected: number[] = [];
  for (const [index, { says }] of file.entries()) {
    if (says === null) rejected.push(index + 1);
    else accepted.set(index + 1, says);
  }
  const counts = model.go(accepted, merges);
  const leftOut = await rows.query<{ outcome: string; rows: number[] }>(
    `select outcome, array_agg(row::int order by row) as rows from import_failures where import_id = $1
     group by outcome`,
    [last.id],
  );
  const rowsOf = (outcome: string): readonly number[] =>
    leftOut.find((one) => one.outcome === outcome)?.rows ?? [];
  const wanted: Record<string, readonly [unknown, unknown]> = {
    status: [last.status, counts.failed.length > 0 ? 'completed_with_failures' : 'completed'],
    total_rows: [last.total_rows, accepted.size],
    rejected_rows: [last.rejected_rows, rejected.length],
    succeeded: [last.succeeded, counts.succeeded],
    failed: [last.failed, counts.failed.length],
    skipped: [last.skipped, counts.skipped.length],
    pending: [last.pending, 0],
    people_created: [last.people_created, counts.created],
    people_merged: [last.people_merged, counts.merged],
    people_opted_out: [last.people_opted_out, counts.optedOut],
    'rejected rows': [rowsOf('rejected').join(), rejected.join()],
    'failed rows': [rowsOf('failed').join(), counts.failed.join()],
    'skipped rows': [rowsOf('skipped').join(), counts.skipped.join()],
    ...previewWanted(previewed, counts),
  };
  const wrong = Object.entries(wanted).filter(([, [is, should]]) => is !== should);
  return wrong.map(([name, [is, should]]) => `${name} is ${String(is)} and should be ${String(should)}`);
}

/** A preview knows nothing of what the database will refuse, so it is held to the model only where nothing was. */
const previewWanted = (
  previewed: Previewed,
  counts: ModelCounts,
): Record<string, readonly [unknown, unknown]> =>
  counts.failed.length > 0
    ? {}
    : {
        people_to_create: [previewed.people_to_create, counts.created],
        people_merged_away: [previewed.people_merged_away, counts.merged],
        people_to_opt_out: [previewed.people_to_opt_out, counts.optedOut],
      };

/** Everybody of an organization, one by one, against the model. */
export async function judgePeople(
  rows: PatientRows,
  org: string,
  { model, before }: { readonly model: ImportModel; readonly before: ReadonlySet<string> },
): Promise<Figure[]> {
  const stored = await readPeople(rows, org);
  const wanted = new Set([...model.people].map(lineOf));
  const astray = stored.filter((one) => !wanted.has(storedLineOf(one, before.has(one.id))));
  for (const one of astray.slice(0, shown)) tell(`not in the model: ${JSON.stringify(one)}`);
  const [beside] = await rows.query<{ identifiers: number; holders: number; pages: number }>(
    `select count(*)::int as identifiers, count(distinct (type, value))::int as holders,
       (select count(distinct person_id)::int from property_pages where org_id = $1) as pages
     from identifiers where org_id = $1`,
    [org],
  );
  const identifiers = [...model.people].reduce((sum, one) => sum + one.identifiers.size, 0);
  return [
    exactly('people', stored.length, model.people.size),
    exactly('  who are not as the model says', astray.length, 0),
    exactly('  identifiers', beside!.identifiers, identifiers),
    exactly('  identifiers with more than one holder', beside!.identifiers - beside!.holders, 0),
    told('  of those who were not there before', [...model.people].filter(({ id }) => id === null).length),
  ];
}

/** What may be left of imports that are over: nothing. */
export async function judgeLeftOvers(rows: PatientRows): Promise<Figure[]> {
  const [left] = await rows.query<{ parts: number; running: number; samples: number }>(`
    select (select count(*)::int from import_parts) as parts,
      (select count(*)::int from imports where run_at is not null or finished_at is null) as running,
      (select count(*)::int from imports where sample_rows is not null) as samples`);
  return [
    exactly('parts left over', left!.parts, 0),
    exactly('imports that are not at their end', left!.running, 0),
    exactly('imports that still hold samples', left!.samples, 0),
  ];
}
