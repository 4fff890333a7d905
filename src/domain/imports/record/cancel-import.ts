import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { ImportId } from '../../../kernel/ids.ts';
import { holdDraft } from './import.ts';

export const cancelImport = defineOperation({
  name: 'cancel_import',
  title: 'Cancel an import',
  summary: 'Delete a draft and its staged rows for good. A committed import goes on and cannot be canceled.',
  permission: 'people.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/imports/:import_id'], tool: true },
  input: z.strictObject({ import_id: ImportId }),
  output: z.object({ deleted: z.literal(true), import_id: ImportId }),
  handle: async (work, { import_id }) => {
    await holdDraft(work, import_id);
    await work.db.deleteFrom('imports').where('org_id', '=', work.org).where('id', '=', import_id).execute();
    work.touched['import_id'] = import_id;
    return { deleted: true as const, import_id };
  },
});
