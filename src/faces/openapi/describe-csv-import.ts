import { z } from 'zod';
import { createFileImport } from '../../domain/imports/mapping/import-file.ts';
import { exampleOf } from './examples.ts';
import { allRefusals } from './refusals.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };

const parameters = [
  ['name', { ...text, minLength: 1, maxLength: 200 }, 'Makes a new import with this name.'],
  ['file_name', { ...text, minLength: 1, maxLength: 300 }, 'With `name`, which it is by default.'],
  [
    'mapping',
    text,
    'With `name`: the mapping as JSON, as set_import_mapping takes it. A long one is better saved by itself: the file ' +
      'is then sent with `import_id`.',
  ],
  ['import_id', { ...text, format: 'uuid' }, 'Instead of `name`: a draft with a mapping and without rows.'],
] as const;

const description = [
  'Streams a CSV file into a draft; nobody is created or changed. The rows go through the checks of append_import_rows. ' +
    'A file is taken whole or not at all: one that cannot be read to its end leaves nothing, and the refusal names the line.',
  'Without `mapping` or `import_id` only the header and the first 20 rows are read, and the answer is that of ' +
    'create_import. Save a mapping, then send the file again with `import_id`.',
  'UTF-8, with or without a byte order mark. Cells are parted by commas, semicolons or tabs, whichever the header has; ' +
    'quoted as in RFC 4180. At most 64 MB, 50,000 rows, a megabyte a row, and a minute to arrive. Missing cells are ' +
    'blank; a row with more cells than the header is rejected.',
  'Takes no `Idempotency-Key`. Needs the permission `people.write`.',
].join('\n\n');

const example = exampleOf('import_csv');

const RejectedRow = z.object({ row: z.int(), code: z.string(), reason: z.string() });

const Answer = createFileImport.output.extend({
  status: z.enum(['draft', 'mapped']),
  columns: createFileImport.output.shape.columns.optional().describe('When a new import was made.'),
  targets: createFileImport.output.shape.targets.optional().describe('When a new import was made.'),
  total_rows: z.int().optional().describe('Staged. These four when rows were read.'),
  accepted: z.int().optional(),
  rejected: z.int().optional(),
  rejected_rows: z.array(RejectedRow).optional().describe('The first 100; get_import tells all.'),
});

/** No operation of the catalogue, as its body is a file. */
export const describeCsvImport = (describe: (answer: z.ZodType) => Json): Json => ({
  operationId: 'import_csv',
  summary: 'Import a CSV file',
  description,
  tags: ['Imports'],
  'x-permission': 'people.write',
  parameters: parameters.map(([name, schema, said]) => ({
    name,
    in: 'query',
    required: false,
    description: said,
    schema,
  })),
  requestBody: {
    required: true,
    content: { 'text/csv': { schema: text, example: example?.input['body'] } },
  },
  responses: {
    '201': {
      description: 'Taken.',
      content: { 'application/json': { schema: describe(Answer), example: example?.output } },
    },
    ...allRefusals,
  },
});
