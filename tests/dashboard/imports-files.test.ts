import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { choose, csv, expectAccessibleInBoth, goods, header, press, toCheck } from './importing.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();
const hostile = '<img src=x onerror="document.title=1">';

test('a file that cannot be read is told why and what to do, whatever it holds', async () => {
  const page = await dashboard().visit(await dashboard().world.newOrg(), '/imports/new');
  const told: readonly (readonly [Buffer, string])[] = [
    [Buffer.from(''), 'The file is empty'],
    [Buffer.from('\n \n'), 'The file is blank'],
    [Buffer.from(header), 'a header and no rows'],
    [Buffer.from('PK\u0003\u0004workbook'), 'This is a workbook'],
    [Buffer.from('E-mail,Name\na@example.com,Ren\xE9', 'latin1'), 'The file is not in UTF-8'],
    [Buffer.from('E-mail,Name\na@example.com,Ana', 'utf16le'), 'NUL characters'],
    [Buffer.from('E-mail,Name\na@example.com,"Ana\n'.repeat(3)), 'Row 1: a quotation mark'],
    [Buffer.from('E-mail,Name\na@example.com,"Ana" Sample'), 'Row 1: a quotation mark stands inside a cell'],
    [Buffer.from(`E-mail,Name\na@example.com,${'x'.repeat(1_000_000)}`), 'Row 1 is longer than a megabyte'],
    [Buffer.from(`${'a,'.repeat(100)}b\nc`), 'The header has 101 columns'],
    [
      Buffer.from(`E-mail\n${'a@example.com\n'.repeat(50_001)}`),
      'takes 50,000 rows, and this file has 50,001',
    ],
  ];
  for (const [buffer, words] of told) {
    await choose(page, 'list.csv', buffer);
    await page.getByRole('alert').getByText(words).waitFor();
  }
  await expectAccessibleInBoth(page);
  expectNoTrouble();
});

test('marks, UTF-16, semicolons, line ends of all kinds, blank lines, and odd headers are read', async () => {
  const page = await dashboard().visit(await dashboard().world.newOrg(), '/imports/new');
  const text =
    '\uFEFFE-mail;Name;Name;;__proto__\r\na@example.com;"Ana; ""A""";x;y;z\r\r\n;;;;\nb@example.com;"two\nlines";;;\n';
  for (const encoding of ['utf8', 'utf16le'] as const) {
    await page.goto(page.url().replace(/imports.*/, 'imports/new'));
    await choose(page, 'list.csv', Buffer.from(text, encoding));
    await page.getByText('2 rows, 5 columns').waitFor();
    await page.getByText('Ana; "A"').waitFor();
    const names = await page.locator('.map tbody th > span:first-child').allTextContents();
    expect(names).toEqual(['E-mail', 'Name', 'Name (2)', 'Column 4', 'Column 5']);
    await page.getByText('has no name in the file').waitFor();
  }
});

test('names of files and cells are shown as text, and saved so that no spreadsheet takes them for formulas', async () => {
  const org = await dashboard().world.newOrg();
  const page = await dashboard().visit(org, '/imports/new');
  const formula = '=HYPERLINK("https://example.com")';
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  const name = `${hostile.replaceAll('/', '')}.csv`;
  await toCheck(page, name, csv(...goods, `${quoted(hostile)},${quoted(formula)},+44 7700 900200,-1,yes`));
  await page.getByRole('heading', { name }).waitFor();
  expect(await page.getByLabel('E-mail of row 21').inputValue()).toBe(hostile);
  const [saved] = await Promise.all([page.waitForEvent('download'), press(page, 'Download the 1 row')]);
  const text = await readFile(await saved.path(), 'utf8');
  expect(text).toContain(`,${quoted(`'${formula}`)},"'+44 7700 900200","'-1",yes,21,`);
  await page.goto(page.url().replace(/imports.*/, 'imports/new'));
  await choose(page, 'saved.csv', Buffer.from(text));
  await page.getByText('+44 7700 900200', { exact: true }).waitFor(); // as it was before it was saved
  await page.getByText(formula).waitFor();
  expect(await page.title()).toBe('saved.csv · Rostrum');
  expectNoTrouble();
});
