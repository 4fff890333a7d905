// `npm run pictures`, or only some screens: `npm run pictures -- people segment`. Writes docs/pictures.
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { orgTransaction } from '../src/database/org-transaction.ts';
import { addMember } from '../src/domain/members/member.ts';
import { buildDashboard } from '../src/main/dashboard.ts';
import { furnishScreens } from '../tests/dashboard/furnish-screens.ts';
import { screens } from '../tests/dashboard/screens.ts';
import { launchBrowser, signedInContext } from '../tests/support/browser.ts';
import { newSignedIn } from '../tests/support/member.ts';
import { doorPages } from './pictures/door-pages.ts';
import { laterScreens } from './pictures/later-screens.ts';
import { withFewColors } from './pictures/few-colors.ts';
import { startShownService } from './pictures/shown-service.ts';

const folder = 'docs/pictures';
const moment = new Date('2026-11-19T09:41:00Z');
const looks = ([1440, 390] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((theme) => ({ width, theme })),
);
const named = process.argv.slice(2);
const isNamed = (name: string): boolean => named.length === 0 || named.includes(name);

await buildDashboard();
mkdirSync(folder, { recursive: true });
const service = await startShownService(moment);
const browser = await launchBrowser('chromium');
try {
  const { org, database, clock, url } = service;
  const user = await newSignedIn(service, 'robin@example.com');
  await orgTransaction(database, org.id, 'write', (db) =>
    addMember(db, org.id, { ...user, role: 'owner' }, clock.now()),
  );
  const { body } = await org.rest('GET /v1/people?subscription_status=active&sort=mrr&limit=1');
  const ids = { ...(await furnishScreens(org)), person: body.people[0].id };
  const shown = screens.filter(({ name }) => isNamed(name));
  const doors = (await doorPages(org.url, url)).filter(({ name }) => isNamed(name));
  const later = (await laterScreens(service, moment)).filter(({ name }) => isNamed(name));
  for (const { width, theme } of looks) {
    const context = await signedInContext(browser, { url, token: user.token }, { width, theme });
    const page = await context.newPage();
    await page.clock.setFixedTime(moment);
    const take = async (
      name: string,
      address: string,
      shows: Locator,
      act?: (page: Page) => Promise<void>,
    ): Promise<void> => {
      await page.goto(address);
      await shows.waitFor();
      await act?.(page);
      await page.evaluate('document.fonts.ready');
      await page.waitForLoadState('networkidle');
      const file = `${folder}/${name}-${width}-${theme}.png`;
      writeFileSync(file, withFewColors(await page.screenshot({ animations: 'disabled' })));
      console.log(file);
    };
    for (const { name, path, shows } of shown)
      await take(name, `${url}/o/${org.id}${path(ids)}`, shows(page));
    for (const { name, path, text, act } of later)
      await take(name, `${url}/o/${org.id}${path}`, page.getByText(text).first(), act);
    for (const { name, address, heading, isSignedOut } of doors) {
      if (isSignedOut) await context.clearCookies();
      await take(name, address, page.getByRole('heading', { name: heading, level: 1 }));
    }
    await context.close();
  }
} finally {
  await browser.close();
  await service.close();
}
process.exit();
