import { expect, test } from 'vitest';
import { mapped } from '../support/import.ts';
import { asProblem, problem } from '../support/problem.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { importsOf, mapping, sendCsv } from './send-csv.ts';

const world = useWorld();
const path = '/v1/imports/csv';

const header = 'Email,Name\n';
const good = 'ada@example.com,Ada\n';
const many = (count: number): string => good.repeat(count);
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

type Case = [what: string, file: string | Uint8Array, line: number, code: string, says: RegExp];
const cases: Case[] = [
  [
    'a quotation mark that is never closed',
    `${header}${many(700)}x@example.com,"Ada\n${many(3)}`,
    702,
    'broken_quotes',
    /never closed/,
  ],
  [
    'a quotation mark inside a cell',
    `${header}${many(600)}b@example.com,A"da"\n${good}`,
    602,
    'broken_quotes',
    /double/,
  ],
  [
    'letters after a closing quotation mark',
    `${header}${good}b@example.com,"Ada"x\n`,
    3,
    'broken_quotes',
    /double/,
  ],
  [
    'a broken line after cells with line breaks',
    `${header}a@example.com,"A\r\nb\nc"\n\nb@example.com,A"\n`,
    6,
    'broken_quotes',
    /double/,
  ],
  ['Latin-1', bytes(header, many(600), 'b@example.com,Zo', [0xeb], '\n'), 602, 'wrong_encoding', /UTF-8/],
  [
    'half a character at the end',
    bytes(header, many(600), 'b@example.com,Zo', [0xc3]),
    602,
    'wrong_encoding',
    /UTF-8/,
  ],
  [
    'UTF-16, little end first',
    bytes([0xff, 0xfe], [...Buffer.from(header + good, 'utf16le')]),
    1,
    'wrong_encoding',
    /UTF-16/,
  ],
  [
    'UTF-16, big end first',
    bytes([0xfe, 0xff], [...Buffer.from(header + good, 'utf16le').swap16()]),
    1,
    'wrong_encoding',
    /UTF-16/,
  ],
  ['UTF-16 without its mark', Buffer.from(header + good, 'utf16le'), 1, 'not_text', /NUL/],
  ['a NUL', `${header}${many(600)}b@example.com,A\0\n`, 602, 'not_text', /NUL/],
  [
    'a line of more than a megabyte',
    `${header}${good}b@example.com,${'a'.repeat(1_100_000)}`,
    3,
    'line_too_long',
    /megabyte/,
  ],
  [
    'a row of more than a megabyte',
    `${header}${good}b@example.com,"${'a\n'.repeat(600_000)}"\n`,
    3,
    'row_too_long',
    /megabyte/,
  ],
  ['a column without a name', `Email,,Name\n${good}`, 1, 'blank_column', /column 2/],
  ['two columns of one name', `Email,Name, Email\n${good}`, 1, 'duplicate_column', /Email/],
  [
    'more columns than are taken',
    `${Array.from({ length: 101 }, (_, at) => `c${at}`).join()}\n`,
    1,
    'too_many_columns',
    /101/,
  ],
  ['one row too many', `${header}${many(50_001)}`, 50_002, 'too_many_rows', /50000/],
];

test.each(cases)(
  '%s is told with its line, and nothing of the file stays',
  async (_, file, line, code, says) => {
    const org = await world().newOrg();
    const answer = await sendCsv(org, { name: 'Spring', mapping }, file);
    expect(asProblem(answer)).toEqual(problem(400, 'invalid_request', path));
    expect(answer.body.errors).toEqual([{ pointer: '', code, detail: expect.stringMatching(says) }]);
    expect(answer.body.detail).toMatch(new RegExp(`^Line ${line}: `));
    expect(answer.body.detail).not.toMatch(/example\.com|Ada/);
    expect(await importsOf(org)).toEqual([]);
    await expectNoRows(org.id);
  },
);

// In the gate without the fifty thousand rows, which are slow.
test.each(cases.filter(([, , line]) => line > 1 && (isLong || line < 50_000)))(
  '%s leaves a draft that was there as it was',
  async (_, file, line) => {
    const org = await world().newOrg();
    const import_id = await mapped(org, mapping);
    const before = await importsOf(org);
    const answer = await sendCsv(org, { import_id }, file);
    expect(answer.body.detail).toMatch(new RegExp(`^Line ${line}: `));
    expect(await importsOf(org)).toEqual(before);
    await expectNoRows(org.id);
    expect((await sendCsv(org, { import_id }, header + good)).body).toMatchObject({
      total_rows: 1,
      accepted: 1,
    });
  },
);

async function expectNoRows(org: string): Promise<void> {
  const { rows } = await world().admin.query(
    `select (select count(*)::int from import_parts where org_id = $1) as parts,
       (select count(*)::int from import_failures where org_id = $1) as failures,
       (select count(*)::int from people where org_id = $1) as people`,
    [org],
  );
  expect(rows).toEqual([{ parts: 0, failures: 0, people: 0 }]);
}
