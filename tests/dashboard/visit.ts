import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { addMember } from '../../src/domain/members/member.ts';
import type { Role } from '../../src/kernel/caller.ts';
import { axeFindings } from '../support/axe.ts';
import { closePages, heightOf, sharedBrowser, signedInContext, type Looks } from '../support/browser.ts';
import { holdPort } from '../../src/main/free-ports.ts';
import { newSignedIn } from '../support/member.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

export interface Dashboard {
  readonly world: World;
  readonly url: string;
  /** A browser in which somebody with that role is signed in, at a page of the organization. */
  readonly visit: (org: TestOrg, path: string, options?: VisitOptions) => Promise<Page>;
  /** The same, before anything is opened. */
  readonly enter: (org: TestOrg, options?: VisitOptions) => Promise<Page>;
}

interface VisitOptions extends Looks {
  readonly role?: Role;
}

/** The service with its built dashboard, and a real browser. */
export function useDashboard(options: WorldOptions = {}): () => Dashboard {
  let dashboard: Dashboard | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    violations.length = 0; // of a file before in the same process
    // Of vitest's own mind it would be a build for development, which shows every part twice.
    if (!existsSync('web/dist/index.html'))
      execFileSync('npm', ['run', '--silent', 'web'], { env: { ...process.env, NODE_ENV: 'production' } });
    const held = await holdPort();
    await held.letGo();
    const url = `http://app.localhost:${held.port}`;
    const world = await openWorld({
      ...options,
      env: { PORT: String(held.port), PUBLIC_URL: url, ...options.env },
    });
    browser = await sharedBrowser();
    const enter: Dashboard['enter'] = (org, options) => enterAs(browser!, world, url, org, options);
    const visit: Dashboard['visit'] = async (org, path, options) => {
      const page = await enter(org, options);
      await page.goto(`${url}/o/${org.id}${path}`);
      return page;
    };
    dashboard = { world, url, visit, enter };
  });
  afterEach(() => leavePages(dashboard!.url));
  afterAll(async () => {
    used.length = free.length = 0;
    await closePages(browser);
    await dashboard?.world.close();
  });
  return () => dashboard!;
}

async function enterAs(
  browser: Browser,
  world: World,
  url: string,
  org: TestOrg,
  { role = 'owner', ...looks }: VisitOptions = {},
): Promise<Page> {
  const { token, userId, email } = await newSignedIn(world);
  await orgTransaction(world.database, org.id, 'write', (db) =>
    addMember(db, org.id, { userId, email, role }, world.clock.now()),
  );
  const former = free.pop();
  const page =
    former === undefined
      ? await newPage(browser, { url, token }, looks)
      : await signedInAnew(former, { url, token }, looks);
  used.push(page);
  return page;
}

interface Session {
  readonly url: string;
  readonly token: string;
}

async function newPage(browser: Browser, session: Session, looks: Looks): Promise<Page> {
  const context = await signedInContext(browser, session, looks);
  // Nobody here could answer the system's dialog for where a file goes.
  await context.addInitScript('delete globalThis.showSaveFilePicker');
  const page = await context.newPage();
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  page.on('pageerror', (error) => violations.push(error.message));
  return page;
}

/** Pages that the test under way has, and those that tests before it had. */
const used: Page[] = [];
const free: Page[] = [];

/**
 * What a test leaves is used by the next, without anything that was kept in it: a page that has read the program before
 * opens a screen in half of the time that a new one takes.
 */
async function leavePages(url: string): Promise<void> {
  for (const page of used.splice(0)) {
    if (page.isClosed()) continue;
    const context = page.context();
    try {
      for (const other of context.pages()) if (other !== page) await other.close();
      page.removeAllListeners('request');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.mouse.move(-1, -1);
      await forgetSession(page, url);
      await page.evaluate('localStorage.clear(), sessionStorage.clear()');
      free.push(page);
    } catch {
      await context.close();
    }
  }
}

/** The screen is left first: it would go to the sign-in page by itself, while a test opens another. */
export async function forgetSession(page: Page, url: string): Promise<void> {
  // Of the same origin, or what comes next would be shown by another process.
  await page.goto(`${url}/icon.svg`);
  await page.context().clearCookies();
}

async function signedInAnew(
  page: Page,
  { url, token: value }: Session,
  { width = 1440, theme = 'light' }: Looks,
): Promise<Page> {
  await page.setViewportSize({ width, height: heightOf(width) });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  const place = { url: url.replace('http:', 'https:'), secure: true, httpOnly: true };
  await page.context().addCookies([{ name: '__Host-rostrum-session', value, ...place }]);
  return page;
}

const violations: string[] = [];

/** Nothing on any page so far was against the policy or broke. */
export function expectNoTrouble(): void {
  expect(violations).toEqual([]);
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
}

/** Of what another test looks at as well: the gate looks there alone. */
export const expectAccessibleToo = async (page: Page): Promise<void> =>
  isLong ? expectAccessible(page) : undefined;

/** In which something is shown that is looked at by itself; whole screens are looked at in both by the gate too. */
export const themes: readonly ('light' | 'dark')[] = isLong ? ['light', 'dark'] : ['dark'];
