import { z } from 'zod';
import { createImport } from '../../../domain/imports/mapping/create-import.ts';
import { createFileImport } from '../../../domain/imports/mapping/import-file.ts';
import { ImportId } from '../../../kernel/ids.ts';

const MappingJson = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'Send the mapping as JSON: a column to a target.' });
    return z.NEVER;
  }
});

/** What a file is sent with: it makes a new import, or it fills one that has a mapping. */
export const CsvQuery = z
  .strictObject({
    name: createImport.input.shape.name.optional().describe('Makes a new import with this name.'),
    file_name: createFileImport.input.shape.file_name
      .optional()
      .describe('With name, which it is by default.'),
    mapping: MappingJson.optional().describe(
      'With name: the mapping as JSON, as set_import_mapping takes it. Without it only the header and the first 20 ' +
        'rows are read, and create_import’s answer is given.',
    ),
    import_id: ImportId.optional().describe('Instead of name: a draft with a mapping and without rows.'),
  })
  .refine(({ name, import_id }) => (name === undefined) !== (import_id === undefined), {
    message: 'Send name for a new import, or import_id for one that has a mapping.',
  })
  .refine(
    ({ import_id, file_name, mapping }) =>
      import_id === undefined || (file_name === undefined && mapping === undefined),
    { message: 'file_name and mapping go with name. An import that is there has both.' },
  );
export type CsvQuery = z.output<typeof CsvQuery>;
