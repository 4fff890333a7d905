import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { addMember } from '../../src/domain/members/member.ts';
import type { Role } from '../../src/kernel/caller.ts';
import { axeFindings } from '../support/axe.ts';
import { closePages, sharedBrowser, signedInContext, type Looks } from '../support/browser.ts';
import { holdPort } from '../support/held-port.ts';
import { newSignedIn } from '../support/member.ts';
import type { TestOrg } from '../support/test-org.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

export interface Dashboard {
  readonly world: World;
  readonly url: string;
  /** A browser in which somebody with that role is signed in, at a page of the organization. */
  readonly visit: (org: TestOrg, path: string, options?: VisitOptions) => Promise<Page>;
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
    if (!existsSync('web/dist/index.html')) execFileSync('npm', ['run', '--silent', 'web']);
    const held = await holdPort();
    await held.letGo();
    const url = `http://app.localhost:${held.port}`;
    const world = await openWorld({
      ...options,
      env: { PORT: String(held.port), PUBLIC_URL: url, ...options.env },
    });
    browser = await sharedBrowser();
    dashboard = { world, url, visit: (org, path, options) => open(browser!, world, url, org, path, options) };
  });
  afterAll(async () => {
    await closePages(browser);
    await dashboard?.world.close();
  });
  return () => dashboard!;
}

async function open(
  browser: Browser,
  world: World,
  url: string,
  org: TestOrg,
  path: string,
  { role = 'owner', ...looks }: VisitOptions = {},
): Promise<Page> {
  const { token, userId, email } = await newSignedIn(world);
  await orgTransaction(world.database, org.id, 'write', (db) =>
    addMember(db, org.id, { userId, email, role }, world.clock.now()),
  );
  const context = await signedInContext(browser, { url, token }, looks);
  // Nobody here could answer the system's dialog for where a file goes.
  await context.addInitScript('delete globalThis.showSaveFilePicker');
  const page = await context.newPage();
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  page.on('pageerror', (error) => violations.push(error.message));
  await page.goto(`${url}/o/${org.id}${path}`);
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
