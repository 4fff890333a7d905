import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

/** The addresses that a page asks for from now on, and those of them that are asked while the frame is kept from coming. */
async function watch(page: Page, expected: readonly string[]) {
  const asked: string[] = [];
  let letCome: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (letCome = resolve));
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    asked.push(pathname + search);
    if (expected.every((one) => asked.some((address) => address.startsWith(one)))) letCome();
  });
  await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
    await all;
    await route.continue();
  });
  return asked;
}

test('people and the files of their screen are asked for while the frame is on its way, and once', async () => {
  const org = await dashboard().world.newOrg();
  await org.rest('POST /v1/people/identify', { email: 'grace@example.com', first_name: 'Grace' });
  const page = await dashboard().enter(org);
  const expected = [
    '/v1/me',
    '/v1/settings',
    '/v1/usage',
    '/v1/people?limit=50',
    '/v1/people/engagement',
    '/v1/people-views',
    '/assets/people-page-',
  ];
  const asked = await watch(page, expected);
  await page.goto(`${dashboard().url}/o/${org.id}/people`);
  await page.getByRole('link', { name: /Grace/ }).waitFor();
  await page.getByRole('cell', { name: 'Never' }).waitFor();
  for (const one of expected) expect(asked.filter((address) => address.startsWith(one))).toHaveLength(1);
  expectNoTrouble();
});

test('an address that orders people asks for them so, and not first in the usual order', async () => {
  const org = await dashboard().world.newOrg();
  for (const first_name of ['Ada', 'Grace'])
    await org.rest('POST /v1/people/identify', { email: `${first_name}@example.com`, first_name });
  const page = await dashboard().enter(org);
  const asked = await watch(page, ['/v1/me']);
  await page.goto(`${dashboard().url}/o/${org.id}/people?sort=first_name&order=desc`);
  const rows = page.locator('[data-row]');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.first().textContent()).toContain('Grace');
  expect(asked.filter((address) => address.startsWith('/v1/people?'))).toHaveLength(1);
  expectNoTrouble();
});

test('whoever does not take what is compressed gets the same, plain', async () => {
  const get = async (path: string, encoding: string) => {
    const response = await fetch(dashboard().world.url + path, { headers: { 'accept-encoding': encoding } });
    return [response.status, response.headers.get('content-encoding'), await response.text()] as const;
  };
  const [, , page] = await get('/o/any/people', 'identity');
  const frame = /\/assets\/index-[^"]+\.js/.exec(page)![0];
  for (const path of ['/o/any/people', frame]) {
    const [status, encoding, text] = await get(path, 'br');
    expect([status, encoding]).toEqual([200, 'br']);
    expect(await get(path, 'identity')).toEqual([200, null, text]);
  }
});
