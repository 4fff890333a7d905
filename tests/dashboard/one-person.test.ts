import { expect, test } from 'vitest';
import { arrangeWorkflow } from '../support/webinar.ts';
import { isLong } from '../support/volume.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

/** Somebody with a score, a subscription, a run and segments. */
async function arrange() {
  const { world } = dashboard();
  const org = await world.newOrg();
  await arrangeWorkflow(world, org, { type: 'event', event_name: 'demo' });
  const person = await org.person({ email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' });
  await org.rest('POST /v1/events', { event_name: 'demo', email: 'ada@example.com' });
  await world.admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, due_at, state, opened_at, replied_at)
     values ($1, gen_random_uuid(), $2, now(), 'sent', now(), now())`,
    [org.id, person],
  );
  await world.admin.query(
    `update people set engagement = log(2, 9) + extract(epoch from now()) / (30 * 86400) where id = $1`,
    [person],
  );
  await world.admin.query(
    `insert into subscriptions (org_id, id, person_id, processor, processor_subscription_id, status, item_names, cost, created_at, current_period_end)
     values ($1, gen_random_uuid(), $2, 'processor_a', 'sub-1', 'active', '{Course}', 4900, now(), now() + interval '20 days')`,
    [org.id, person],
  );
  return { org, person };
}

const looks = [
  ['dark', 390],
  ['light', 1440],
] as const;

test.each(isLong ? looks : looks.slice(0, 1))('a person is shown whole, %s at %i', async (theme, width) => {
  const { org, person } = await arrange();
  const page = await dashboard().visit(org, `/people/${person}`, { theme, width });
  const score = page.getByRole('region', { name: 'Engagement score' });
  await score.getByText('Replied').waitFor();
  expect(await score.textContent()).toMatch(/54.*of 100.*8 points make 50.*every 30 days/s);
  await page.getByRole('region', { name: 'Subscriptions' }).getByText('Course').waitFor();
  await page.getByRole('region', { name: 'Workflows' }).getByText('Arranged').waitFor();
  await page.getByRole('link', { name: 'Everyone with an email' }).waitFor();
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  expectNoTrouble();
});

test('from one person to the next, by buttons and by keys', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  for (const first_name of ['Ada', 'Bea', 'Cleo'])
    await org.person({ email: `${first_name}@example.com`, first_name });
  const page = await visit(org, '/people?sort=first_name&order=asc');
  await page.getByRole('link', { name: /Ada/ }).click();
  const at = (name: string) => page.getByRole('complementary', { name }).waitFor();
  await at('Ada');
  await page.getByText('1 of 3').waitFor();
  await page.getByRole('button', { name: 'Next person' }).click();
  await at('Bea');
  await page.keyboard.press('j');
  await at('Cleo');
  await page.keyboard.press('ArrowUp');
  await at('Bea');
  await page.keyboard.press('x');
  await page.getByText('1 chosen').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByText('1 chosen').count()).toBe(0);
  expectNoTrouble();
});
