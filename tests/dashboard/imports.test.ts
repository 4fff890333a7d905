import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { csv, drop, expectAccessibleInBoth, goods, header, press } from './importing.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard({ engine: true });

/** Two people, whom a row with the email of one and the phone of the other would merge. */
async function orgOfTwo(): Promise<TestOrg> {
  const org = await dashboard().world.newOrg();
  await org.person({ email: 'grace@example.com', first_name: 'Grace' });
  await org.person({ phone: '+447700900999', first_name: 'Alan' });
  return org;
}

test('from a dropped file to people: mapped, mended, previewed with merges named, committed', async () => {
  const org = await orgOfTwo();
  await org.rest('POST /v1/property-configs', { key: 'plan', name: 'Plan', type: 'string' });
  const page = await dashboard().visit(org, '/imports');
  await page.getByText('No imports yet').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'Import a file' }).click();
  await page.getByText('Drop a CSV file here').waitFor();
  await expectAccessibleInBoth(page);
  const file = csv(
    ...goods,
    'bad at example.com,Bad,,Basic,yes',
    'out@example.com,Out,,Studio,no',
    'unclear@example.com,Unclear,,Studio,maybe',
    'grace@example.com,Grace,+44 7700 900999,Studio,yes',
    ',Nobody,,Basic,yes',
  );
  await drop(page, 'spring-list.csv', file.toString());
  await page.getByText('25 rows, 5 columns').waitFor();
  expect(page.url()).toContain('step=map');
  const becomes = (column: string): Promise<string> => page.getByLabel(`What ${column} becomes`).inputValue();
  expect(await Promise.all(header.split(',').map(becomes))).toEqual([
    'email',
    'first_name',
    'phone',
    'property plan',
    'subscribed_to_emails',
  ]);
  await page.getByText('p1@example.com, p2@example.com').waitFor();
  await expectAccessibleInBoth(page);
  await press(page, 'Check 25 rows');

  await page.getByText('3 rows do not fit').waitFor();
  await page.getByText('Adds up').waitFor();
  expect(await page.getByLabel('E-mail of row 21').inputValue()).toBe('bad at example.com');
  expect(await page.getByLabel('Subscribed of row 23').inputValue()).toBe('maybe');
  await expectAccessibleInBoth(page);
  const [saved] = await Promise.all([page.waitForEvent('download'), press(page, 'Download the 3 rows')]);
  expect(saved.suggestedFilename()).toBe('spring-list-rejected.csv');
  expect(await readFile(await saved.path(), 'utf8')).toContain('bad at example.com,Bad,,Basic,yes,21,');
  await press(page, 'Mend row 21');
  await page.getByLabel('E-mail of row 21').fill('still bad');
  await press(page, 'Check row');
  await press(page, 'Mend row 21');
  await page.getByLabel('E-mail of row 21').fill('mended@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Row 21 fits now').waitFor();
  await page.getByText('2 rows do not fit').waitFor();
  await page.reload();
  await page.getByText('Choose spring-list.csv again').waitFor();
  await page.getByText('2 rows do not fit').waitFor();
  await page.getByRole('link', { name: 'Preview without the 2 rows' }).click();

  await page.getByText('1 row points at two or more people').waitFor();
  await page.getByRole('link', { name: 'Grace' }).waitFor();
  await page.getByRole('link', { name: 'Alan' }).waitFor();
  await page.getByText('It cannot be cancelled once begun.').waitFor();
  expect(await page.getByRole('button', { name: /^Import / }).getAttribute('aria-disabled')).toBe('true');
  await page.getByLabel(/Leave this row out/).check();
  await page.getByRole('button', { name: 'Import 22 rows' }).waitFor();
  await expectAccessibleInBoth(page);
  await press(page, 'Import 22 rows');

  await page.getByText('22 done').waitFor();
  await page.getByText('What came of it').waitFor();
  await page.getByText('1 left out').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'See people' }).click();
  await page.getByText('24 people').waitFor();
  const out = await org.rest('GET /v1/people?email=out%40example.com');
  const { body } = await org.rest(`GET /v1/people/${out.body.people[0].id}/opt-outs`);
  expect(body).toMatchObject({ opt_outs: { email_opt_out: true } });
  expect((await org.rest('GET /v1/people?email=mended%40example.com')).body.total).toBe(1);
  await page.goto(page.url().replace(/people.*/, 'imports'));
  await page.getByRole('link', { name: 'spring-list.csv' }).waitFor();
  await page.getByText('Done', { exact: true }).first().waitFor();
  await expectAccessibleInBoth(page);
  expectNoTrouble();
});
