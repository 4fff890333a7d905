import { expect, test } from 'vitest';
import { readyDraft } from '../support/broadcast.ts';
import { readBroadcast } from '../support/sending.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

/** A broadcast that has ended, with recipients that ended so, as the engine would have left it. */
async function newEnded(ends: readonly (readonly [state: string, reason: string | null])[]) {
  const { world } = dashboard();
  const org = await world.newOrg();
  const { id } = await readyDraft(world, org);
  const people: string[] = [];
  for (const [n, [state, reason]] of ends.entries()) {
    const person = await org.person({ email: `p${n}@example.com` });
    people.push(person);
    await world.admin.query(
      `insert into deliveries (org_id, broadcast_id, person_id, state, due_at) values ($1, $2, $3, 'pending', now())`,
      [org.id, id, person],
    );
    await world.admin.query('update deliveries set state = $2, reason = $3 where person_id = $1', [
      person,
      state,
      reason,
    ]);
  }
  await world.admin.query(
    `update broadcasts set status = 'sent', send_at = now(), started_at = now(), prepared_at = now(), finished_at = now(),
       paced_over_hours = 3, planned_by = created_by, scheduled_by = created_by
     where id = $1`,
    [id],
  );
  return { org, id: id as string, people };
}

test('the uncertain part of a report explains itself and sends again to whom the plan counted', async () => {
  const { visit } = dashboard();
  const { org, id, people } = await newEnded([
    ['sent', null],
    ['uncertain', 'interrupted'],
    ['uncertain', 'no_answer'],
    ['uncertain', 'interrupted'],
    ['failed', 'gave_up'],
  ]);
  await org.rest(`PUT /v1/people/${people[3]}/opt-outs`, { email_opt_out: true });
  const page = await visit(org, `/broadcasts/${id}/report`);
  const part = page.getByRole('region', { name: 'Who is uncertain' });
  await part.getByText('3 people may have it or not').waitFor();
  const why = page.getByRole('region', { name: 'Why some failed or are uncertain' });
  await why.getByText('Why 4 failed or are uncertain').waitFor();
  await why
    .getByRole('listitem')
    .filter({ hasText: /interrupted .*2Who/ })
    .waitFor();
  await why.getByRole('link', { name: /^Who failed because .* too late to try again/ }).click();
  await page.waitForURL(/outcome=failed.*reason=gave_up/);
  await page
    .getByRole('region', { name: 'People', exact: true })
    .getByRole('link', { name: 'p4@example.com', exact: true })
    .waitFor();
  await expectAccessibleToo(page);
  await part.getByRole('button', { name: 'Send again…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send it again?' });
  await dialog.getByRole('button', { name: 'Send again to 2 people' }).waitFor();
  await dialog.getByText('1 because they had opted out of email').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Send again to 3 people' }).click();
  await page.getByText('It is being sent again').waitFor();
  expect((await readBroadcast(org, id)).status).toBe('sending');
  await page.getByText(/Adds up: 5 of 5/).waitFor();
  expectNoTrouble();
});

test('a viewer sees who is uncertain and why they may not send again', async () => {
  const { visit } = dashboard();
  const { org, id } = await newEnded([['uncertain', 'interrupted']]);
  const page = await visit(org, `/broadcasts/${id}/report`, { role: 'viewer' });
  const again = page.getByRole('button', { name: 'Send again…' });
  await again.waitFor();
  expect(await again.getAttribute('aria-disabled')).toBe('true');
});
