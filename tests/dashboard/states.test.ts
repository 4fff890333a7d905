import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { furnishScreens, type Furnished } from './furnish-screens.ts';
import { fewScreens, someScreens, withoutIds, type Screen } from './screens.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();
let org: TestOrg;
let ids: Furnished;
beforeAll(async () => {
  org = await dashboard().world.newOrg();
  ids = await furnishScreens(org);
});

/** All calls but that for who is signed in, without which there is no frame. */
const calls = /\/v1\/(?!me$)/;

/** Opens the screen anew while calls are answered in that way. */
async function openWhile(
  page: Page,
  address: string,
  answer: Parameters<Page['route']>[1],
  see: () => Promise<void>,
): Promise<void> {
  await page.route(calls, answer);
  await page.goto(address);
  await see();
  if (isLong)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
  await page.unroute(calls);
}

const again = (page: Page): Locator =>
  page.getByRole('alert').getByRole('button', { name: 'Try again' }).first();

async function askAgain(page: Page, { shows }: Screen): Promise<void> {
  // A screen of two parts has two of them.
  await expect
    .poll(async () => {
      await again(page)
        .click({ timeout: 500 })
        .catch(() => undefined);
      return shows(page).isVisible();
    })
    .toBe(true);
}

test.each(fewScreens('segment', 'settings-keys', 'webinar'))(
  'the screen $name waits, fails and asks again',
  async (screen) => {
    const { enter, url } = dashboard();
    const page = await enter(org);
    const address = `${url}/o/${org.id}${screen.path(ids)}`;
    const late: Parameters<Page['route']>[1] = async (route) => {
      await pause(isLong ? 8_000 : 500);
      await route.continue().catch(() => undefined);
    };
    await openWhile(page, address, late, () =>
      page.getByRole('status', { name: 'Loading' }).first().waitFor(),
    );
    await screen.shows(page).waitFor();
    await openWhile(
      page,
      address,
      (route) => route.fulfill({ status: 500, body: 'broken' }),
      () => again(page).waitFor(),
    );
    await askAgain(page, screen);
    expectNoTrouble();
  },
);

// Calls are tried three times over some seconds, so not every screen waits for it in every run.
test.each(isLong ? someScreens : someScreens.slice(0, 1))(
  'the screen $name says that the service cannot be reached, and asks again',
  async (screen) => {
    const { enter, url } = dashboard();
    const page = await enter(org);
    await page.route(calls, (route) => route.abort('connectionrefused'));
    await page.goto(`${url}/o/${org.id}${screen.path(ids)}`);
    await page.getByText('Rostrum cannot be reached').first().waitFor();
    await page.unroute(calls);
    await askAgain(page, screen);
  },
);

test.each(someScreens.filter(({ empty }) => empty !== undefined))(
  'the screen $name says what will be there while nothing is',
  async ({ path, empty }) => {
    const { world, visit } = dashboard();
    const page = await visit(await world.newOrg(), path(withoutIds));
    await page.getByText(empty!).waitFor();
    await expectAccessible(page);
    if (!isLong) return;
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
  },
);
