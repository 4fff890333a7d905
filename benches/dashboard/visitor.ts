import type { Browser, Page } from 'playwright-core';
import { accountTransaction, orgTransaction } from '../../src/database/org-transaction.ts';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { openSession } from '../../src/domain/accounts/session.ts';
import { addMember } from '../../src/domain/members/member.ts';
import { newId, type OrgId } from '../../src/kernel/ids.ts';
import { signedInContext } from '../../tests/support/browser.ts';

/** Somebody signed in to the organization: each page is opened in a browser that has nothing of it yet. */
export interface Visitor {
  /** Without the path of a screen. */
  readonly address: string;
  readonly open: () => Promise<Page>;
}

export async function newVisitor(
  browser: Browser,
  url: string,
  { databaseUrl, org }: { readonly databaseUrl: string; readonly org: OrgId },
): Promise<Visitor> {
  const pool = openPool({ url: databaseUrl, size: 1, onError: () => undefined });
  const database = openDatabase(pool);
  const now = new Date();
  const userId = newId(now);
  const user = { userId, email: `visitor-${userId}@example.com` };
  const { token } = await accountTransaction(database, 'write', async (db) => {
    await db
      .insertInto('auth.users')
      .values({ id: user.userId, email: user.email, password: 'none that matches', created_at: now })
      .execute();
    const known = { id: user.userId, awaitsCode: false };
    return openSession(db, known, { address: '127.0.0.1', agent: 'a bench' }, now);
  });
  await orgTransaction(database, org, 'write', (db) => addMember(db, org, { ...user, role: 'owner' }, now));
  await pool.end();
  return {
    address: `${url}/o/${org}`,
    open: async () => (await signedInContext(browser, { url, token })).newPage(),
  };
}

/** A slow network and a processor four times slower. */
export async function slowDown(page: Page, parts: { readonly network: boolean }): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  if (!parts.network) return;
  const bytesPerSecond = 1_600_000 / 8;
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}
