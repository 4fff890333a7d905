import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addDelivery, newSending } from '../support/arrange-ledger.ts';
import { auditOf } from '../support/audit.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

const at = '2026-03-02T09:12:00.000Z';
const link = 'https://a.example/prices';

test('each list of a report shows who they are, leaves as a file, and is a segment where one can say it', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const id = await newSending(world, org, { status: 'sent', finished_at: at });
  const send = async (first_name: string, fields: object): Promise<number> => {
    const person = await org.person({ email: `${first_name.toLowerCase()}@example.com`, first_name });
    return addDelivery(world, org, id, person, { state: 'sent', sent_at: at, ...fields });
  };
  const clicked = await send('Cleo', { opened_at: at, clicked_at: at });
  await send('Otto', { opened_at: at });
  await send('Rita', { replied_at: at });
  await send('Bert', { bounced_at: at });
  await send('Una', { unsubscribed_at: at });
  await world.admin.query(
    `insert into broadcast_links (org_id, broadcast_id, link, url, clicked, clicks) values ($1, $2, 0, $3, 1, 1)`,
    [org.id, id, link],
  );
  await world.admin.query(
    `insert into tracking_hits (org_id, delivery_id, kind, link, at, agent, method, verdict, broadcast_id)
     values ($1, $2, 'click', 0, $3, '', 'GET', 'human', $4)`,
    [org.id, clicked, at, id],
  );
  const page = await visit(org, `/broadcasts/${id}/report`);
  const people = page.getByRole('region', { name: 'People', exact: true });
  const names = () => people.locator('li a.medium').allTextContents();
  for (const [list, who] of [
    ['Opened it', ['Cleo', 'Otto']],
    ['Replied', ['Rita']],
    ['Bounced', ['Bert']],
    ['Unsubscribed', ['Una']],
  ] as const) {
    await people.getByLabel('Which people').selectOption(list);
    await expect.poll(async () => (await names()).map((name) => name.trim())).toEqual(who);
  }
  const asSegment = people.getByRole('button', { name: 'Save as segment' });
  expect(await asSegment.getAttribute('title')).toContain('Segments have no condition');
  await page.getByRole('link', { name: `Who followed ${link}` }).click();
  await expect.poll(async () => (await names()).map((name) => name.trim())).toEqual(['Cleo']);
  await expectAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    people.getByRole('button', { name: 'Export list' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines.length).toBe(2);
  expect(lines[1]).toContain('cleo@example.com');
  expect(await auditOf(world, org, 'export_broadcast_recipients')).toMatchObject([
    { ids: { broadcast_id: id } },
  ]);
  await page.getByRole('link', { name: 'Who: clicked' }).click();
  await people.getByRole('link', { name: 'Save as segment' }).click();
  await page.getByText('Members now').waitFor();
  expect(decodeURIComponent(page.url())).toContain('last_clicked_at');
  expectNoTrouble();
});
