import type { z } from 'zod';
import { beginPeopleExport } from '../../domain/people/record/export-people.ts';
import { exampleOf } from './examples.ts';
import { allRefusals } from './refusals.ts';

type Json = Record<string, unknown>;

const description = [
  'Everybody whom the filters of list_people let through, as a file: a header, then a line each, with the fields of a ' +
    'person in lists. In the order of ids, which is that of their making.',
  'It is read while it is sent, some people at a time, so there is no limit to it. Whoever changes meanwhile is told as ' +
    'they are when their turn comes. A file that breaks off ends without the last chunk, which clients report.',
  'UTF-8, quoted as in RFC 4180. A text that begins like a formula has an apostrophe before it, so that no spreadsheet ' +
    'runs it.',
  'Each export leaves an entry in the audit log. Needs the permission `people.read`.',
].join('\n\n');

/** No operation of the catalogue, as its answer is a file. */
export const describePeopleExport = (describe: (input: z.ZodType) => Json): Json => {
  const { properties = {} } = describe(beginPeopleExport.input) as { properties?: Record<string, Json> };
  return {
    operationId: 'export_people',
    summary: 'Export people',
    description,
    tags: ['People'],
    'x-permission': 'people.read',
    parameters: Object.entries(properties).map(([name, { description: said, ...schema }]) => ({
      name,
      in: 'query',
      required: false,
      ...(said !== undefined && { description: said }),
      schema,
    })),
    responses: {
      '200': {
        description: 'The file.',
        content: {
          'text/csv': { schema: { type: 'string' }, example: exampleOf('export_people')?.output['body'] },
        },
      },
      ...allRefusals,
    },
  };
};
