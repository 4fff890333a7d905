import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { someScreens } from './screens.ts';
import { furnishScreens } from './furnish-screens.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

const hostile = `"'><img src=x onerror="document.title='taken'"><script>document.title='taken'</script>{{7*7}}`;

test('names, properties and what else people may write is shown as text on every screen', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('POST /v1/property-configs', { key: 'motto', name: hostile, type: 'string' });
  const person = await org.person({
    email: 'a@example.com',
    first_name: hostile,
    last_name: 'javascript:alert(1)',
  });
  await org.rest(`PUT /v1/people/${person}/properties/motto`, { value: hostile });
  const { body } = await org.rest('POST /v1/segments', {
    name: hostile,
    description: hostile,
    filters: [{ property: 'first_name', op: 'contains', value: hostile.slice(0, 40) }],
  });
  const ids = { ...(await furnishScreens(org)), person, segment: body.segment.id };
  const page = await visit(org, '/people');
  const address = page.url().replace('/people', '');
  for (const { path, shows } of someScreens) {
    await page.goto(address + path(ids));
    await shows(page).waitFor();
    expect(await page.locator('img[src=x], main script').count()).toBe(0);
    expect(await page.title()).not.toBe('taken');
  }
  await page.goto(`${address}/people/${person}`);
  await page.getByRole('heading', { name: hostile.slice(0, 20) }).waitFor();
  await page.getByRole('tab', { name: 'Properties' }).click();
  await page.getByRole('cell', { name: hostile }).first().waitFor();
  await page.goto(`${address}/people?find=${encodeURIComponent(hostile)}`);
  await page.getByText('Nobody matches').waitFor();
  await page.goto(`${address}/people?sort=${encodeURIComponent(hostile)}`);
  await page.getByRole('alert').waitFor();
  expect(await page.title()).toBe('People · Rostrum');
  expectNoTrouble();
});

test('going back to a screen that was left shows nothing once the session has ended elsewhere', async () => {
  const { world, url, visit } = dashboard();
  const org = await world.newOrg();
  const { person } = await furnishScreens(org);
  const page = await visit(org, `/people/${person}`);
  await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  // A page of the service itself, so that the screen is left as a whole and the browser may keep it.
  await page.goto(`${url}/account`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(/\/sign-in/);
  for (let back = 0; back < 2; back++) {
    await page.goBack();
    await page.waitForURL(/\/sign-in/);
    expect(await page.textContent('body')).not.toContain('Lovelace');
  }
});

test('a tab that is open when the session is ended by somebody else sends to the sign-in page at its next call', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await furnishScreens(org);
  const page = await visit(org, '/people');
  await page.getByRole('link', { name: /Lovelace/ }).waitFor();
  await world.admin.query('delete from auth.sessions');
  // A session is believed for half a second.
  await pause(600);
  await page.getByRole('link', { name: 'Webinars' }).first().click();
  await page.waitForURL(/\/sign-in/);
  expect(await page.textContent('body')).not.toContain('Lovelace');
});

test('neither the session nor a key is within reach of a script', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await furnishScreens(org);
  const page = await visit(org, '/people');
  await page.getByRole('link', { name: /Lovelace/ }).waitFor();
  expect(await page.evaluate('document.cookie')).toBe('');
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(kept).not.toMatch(/rk_|Lovelace|example\.com/);
});
