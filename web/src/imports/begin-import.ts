import { call } from '../call/call.ts';
import type { CsvFile } from './csv-file.ts';
import { keepOpen, remember, type Mapping } from './open-imports.ts';

interface Begun {
  /** How columns were mapped before; the others get what the service suggests, or are left out. */
  readonly former?: Mapping;
  /** Columns by whose samples the service shall not judge. */
  readonly unsampled?: readonly string[];
}

const longestName = 200;

/** Makes a draft of a file. Nothing is written to people, and no row is sent but the samples. */
export async function beginImport(
  org: string,
  file: CsvFile,
  { former = {}, unsampled = [] }: Begun = {},
): Promise<string> {
  const made = await call(org, 'create_import', {
    name: file.name.trim().slice(0, longestName).toWellFormed() || 'People',
    columns: [...file.columns],
    sample_rows: file.samples.map((sample) =>
      Object.fromEntries(Object.entries(sample).filter(([column]) => !unsampled.includes(column))),
    ),
  });
  const chosen: Mapping = Object.fromEntries(
    made.columns.map(({ column, suggested }) => [column, former[column] ?? suggested ?? 'skip']),
  );
  keepOpen(made.import_id, file, { offer: made, chosen, unsampled });
  remember(made.import_id, file);
  return made.import_id;
}
