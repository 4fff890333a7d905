import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { ImportId } from '../../../kernel/ids.ts';
import { createDraft, createImport } from './create-import.ts';
import { discardRows } from '../record/discard-rows.ts';
import { findImport, holdDraft, ImportStatus, mustBeDraft } from '../record/import.ts';

/*
 * Steps of POST /v1/imports/csv that are not operations for callers. None is in the catalogue: streaming a file takes
 * many transactions, and these are some of them.
 */
const part = { permission: 'people.write', faces: { rest: ['POST /v1/imports/csv'] } } as const;

export const createFileImport = defineOperation({
  ...part,
  name: 'create_file_import',
  title: 'Create an import for a file',
  summary: 'As create_import, for a CSV file.',
  effect: 'add',
  input: createImport.input.extend({ file_name: z.string().trim().min(1).max(300) }),
  output: createImport.output,
  handle: (work, draft) => createDraft(work, { ...draft, source: 'csv' }),
});

export const openFileImport = defineOperation({
  ...part,
  name: 'open_file_import',
  title: 'Open an import for a file',
  summary: 'The columns of a draft that has a mapping and no rows yet.',
  effect: 'read',
  input: z.strictObject({ import_id: ImportId }),
  output: z.object({ import_id: ImportId, status: ImportStatus, columns: z.array(z.string()) }),
  handle: async (work, { import_id }) => {
    const found = await findImport(work, import_id);
    mustBeDraft(found);
    if (found.mapping === null)
      throw new Failure(
        'import_not_mapped',
        'Save a mapping with set_import_mapping first, then send the file.',
      );
    if (found.last_row > 0)
      throw new Failure(
        'import_has_rows',
        'This import has rows already. Cancel it and send the file as a new one.',
      );
    return { import_id, status: found.status as ImportStatus, columns: found.columns as string[] };
  },
});

export const discardFileRows = defineOperation({
  ...part,
  name: 'discard_file_rows',
  title: 'Discard the rows of a file',
  summary: 'Lets go of the rows of a file that could not be read to its end.',
  effect: 'destroy',
  input: z.strictObject({ import_id: ImportId }),
  output: z.object({ import_id: ImportId }),
  handle: async (work, { import_id }) => {
    const held = await holdDraft(work, import_id);
    await discardRows(work, held);
    work.touched['import_id'] = import_id;
    return { import_id };
  },
});
