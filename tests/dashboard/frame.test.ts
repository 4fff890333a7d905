import { expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { addMember } from '../../src/domain/members/member.ts';
import { newId } from '../../src/kernel/ids.ts';
import { goodPassword, newLink } from '../accounts/visitor.ts';
import {
  expectAccessible,
  expectAccessibleToo,
  expectNoTrouble,
  forgetSession,
  themes,
  useDashboard,
} from './visit.ts';

const dashboard = useDashboard();

test('the palette finds a person by keyboard alone and opens them', async () => {
  const org = await dashboard().world.newOrg();
  await org.rest('POST /v1/people/identify', { email: 'grace@example.com', first_name: 'Grace' });
  const page = await dashboard().visit(org, '/people');
  await page.getByRole('heading', { name: 'People' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('grace@');
  await page.getByRole('option', { name: /Grace/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/people\/[0-9a-f-]{36}$/);
  await page.getByRole('heading', { name: 'Grace' }).waitFor();
  await expectAccessibleToo(page);
  expectNoTrouble();
});

test('an organization of others, and a person of others, are not there', async () => {
  const { world, visit } = dashboard();
  const [mine, theirs] = [await world.newOrg(), await world.newOrg()];
  const { body } = await theirs.rest('POST /v1/people/identify', { email: 'secret@example.com' });
  const page = await visit(mine, `/people/${body.person_id}`);
  await page.getByText('This is not there').waitFor();
  await expectAccessible(page);
  await page.goto(page.url().replace(mine.id, theirs.id));
  await page.getByText('This is not there').waitFor();
  await expectAccessibleToo(page);
  expect(await page.textContent('body')).not.toContain('secret@example.com');
});

test('whoever lacks a permission sees the button, disabled, with what is missing', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { body } = await org.rest('POST /v1/people/identify', { email: 'grace@example.com' });
  const page = await visit(org, `/people/${body.person_id}`, { role: 'viewer' });
  const remove = page.getByRole('button', { name: 'Delete this person' });
  await remove.waitFor();
  expect(await remove.getAttribute('aria-disabled')).toBe('true');
  expect(await remove.getAttribute('title')).toContain('people.delete');
  await remove.click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('names from outside are shown as text', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const hostile = '<img src=x onerror="document.title=1">';
  await org.rest('POST /v1/people/identify', { email: 'a@example.com', first_name: hostile });
  const page = await visit(org, '/people');
  await page.getByText(hostile).first().waitFor();
  expect(await page.title()).toBe('People · Rostrum');
  expectNoTrouble();
});

test('a service that fails is told as such, with the id of the request, and asked again', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/segments');
  await page.getByRole('heading', { name: 'Segments' }).waitFor();
  await world.admin.query('alter table segments rename to segments_away');
  try {
    await page.reload();
    const alert = page.getByRole('alert');
    await alert.getByText('Segments could not be read').waitFor();
    expect(await alert.textContent()).toMatch(/[0-9a-f-]{36}/);
    await expectAccessibleToo(page);
  } finally {
    await world.admin.query('alter table segments_away rename to segments');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table').waitFor();
});

test('whoever is not signed in goes to the sign-in page, whoever is to an organization of theirs, and no page says so', async () => {
  const { world, url, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/nowhere');
  await page.getByText('There is no such page').waitFor();
  await expectAccessible(page);
  await page.goto(`${url}/o`);
  await page.waitForURL(/\/o\/[\da-f-]{36}$/);
  await page.goto(`${url}/account`);
  await page.getByRole('link', { name: /A test organization/ }).click();
  await page.waitForURL(/\/o\/[\da-f-]{36}$/);
  await forgetSession(page, url);
  await page.goto(`${url}/o/${newId(world.clock.now())}/people`);
  await page.waitForURL(/\/sign-in/);
});

test('whoever opens a page without being signed in comes to it after signing in', async () => {
  const { world, url, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/people?sort=mrr&order=asc');
  await page.getByRole('heading', { name: 'People' }).waitFor();
  const email = 'owner@example.com';
  await forgetSession(page, url);
  await page.goto(`${url}/link/${await newLink(world, email)}`);
  await page.fill('#password', goodPassword);
  await page.click('button.primary');
  await page.waitForURL(`${url}/account`);
  await orgTransaction(world.database, org.id, 'write', async (db) => {
    const { rows } = await world.admin.query('select id from auth.users where email = $1', [email]);
    await addMember(db, org.id, { userId: rows[0].id, email, role: 'owner' }, world.clock.now());
  });
  await forgetSession(page, url);
  await page.goto(`${url}/o/${org.id}/people?sort=mrr&order=asc`);
  await page.waitForURL(/\/sign-in/);
  await page.fill('#email', email);
  await page.fill('#password', goodPassword);
  await page.click('button.primary');
  await page.waitForURL(`${url}/o/${org.id}/people?sort=mrr&order=asc`);
  await page.getByRole('heading', { name: 'People' }).waitFor();
});

test.each(themes)('people on a phone, %s, without sideways scrolling', async (theme) => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('POST /v1/people/identify', { email: 'grace@example.com', first_name: 'Grace' });
  const page = await visit(org, '/people', { width: 390, theme });
  await page.getByRole('link', { name: /Grace/ }).waitFor();
  await expectAccessibleToo(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('signing out in one tab ends the others, and going back shows nothing', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('POST /v1/people/identify', { email: 'grace@example.com', first_name: 'Grace' });
  const page = await visit(org, '/people');
  await page.getByRole('link', { name: /Grace/ }).waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('link', { name: /Grace/ }).waitFor();
  await other.getByRole('link', { name: 'Segments' }).first().click();
  await other.waitForURL(/\/segments$/);
  await page.getByRole('button', { name: /member\d+@example.com/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await Promise.all([page.waitForURL(/\/sign-in/), other.waitForURL(/\/sign-in/)]);
  await other.goBack();
  await other.waitForURL(/\/sign-in/);
  expect(await other.textContent('body')).not.toContain('Grace');
});
