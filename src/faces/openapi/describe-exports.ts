import type { z } from 'zod';
import { beginRecipientsExport } from '../../domain/broadcasts/outcome/export-recipients.ts';
import { beginPeopleExport } from '../../domain/people/record/export-people.ts';
import { beginRegistrationsExport } from '../../domain/webinars/registrations/export-registrations.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { exampleOf } from './examples.ts';
import { allRefusals } from './refusals.ts';
import { tagOf } from './tags.ts';

type Json = Record<string, unknown>;

const exports: readonly (readonly [begin: AnyOperation, words: string, needs: string])[] = [
  [
    beginPeopleExport,
    'Everybody whom the filters of list_people let through, as a file: a header, then a line each, with the fields of a ' +
      'person in lists. In the order of ids, which is that of their making.',
    'the permission `people.read`',
  ],
  [
    beginRecipientsExport,
    'The recipients of a broadcast whom the filters of list_broadcast_recipients let through, as a file: a header, then ' +
      'a line each, with who they are and what became of them. While it is being sent, somebody may come twice.',
    'the permissions `people.read` and `broadcasts.read`',
  ],
  [
    beginRegistrationsExport,
    'Who is registered for a webinar, as a file: a header, then a line each, with who they are and whether they attended.',
    'the permissions `people.read` and `webinars.read`',
  ],
];

const alike = [
  'It is read while it is sent, some people at a time, so there is no limit to it. Whoever changes meanwhile is told as ' +
    'they are when their turn comes. A file that breaks off ends without the last chunk, which clients report.',
  'UTF-8, quoted as in RFC 4180. A text that begins like a formula has an apostrophe before it, so that no spreadsheet ' +
    'runs it.',
];

/** No operations of the catalogue, as their answers are files. By path. */
export const describeExports = (
  describe: (input: z.ZodType, owner: string) => Json,
): Record<string, { get: Json }> =>
  Object.fromEntries(
    exports.map(([begin, words, needs]) => {
      const path = begin.faces.rest[0]!.slice('GET '.length).replaceAll(/:(\w+)/g, '{$1}');
      return [
        path,
        { get: describeExport(begin, path, [words, ...alike, `${audit} Needs ${needs}.`], describe) },
      ];
    }),
  );

const audit = 'Each export leaves an entry in the audit log.';

function describeExport(
  { name: operationId, title, input }: AnyOperation,
  path: string,
  words: readonly string[],
  describe: (input: z.ZodType, owner: string) => Json,
): Json {
  const { properties = {} } = describe(input as z.ZodType, operationId) as {
    properties?: Record<string, Json>;
  };
  return {
    operationId,
    summary: title,
    description: words.join('\n\n'),
    tags: [tagOf(path)],
    'x-permission': 'people.read',
    parameters: Object.entries(properties).map(([name, { description: said, ...schema }]) => ({
      name,
      in: path.includes(`{${name}}`) ? 'path' : 'query',
      required: path.includes(`{${name}}`),
      ...(said !== undefined && { description: said }),
      schema,
    })),
    responses: {
      '200': {
        description: 'The file.',
        content: {
          'text/csv': { schema: { type: 'string' }, example: exampleOf(operationId)?.output['body'] },
        },
      },
      ...allRefusals,
    },
  };
}
