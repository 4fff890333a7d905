import { execFileSync } from 'node:child_process';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

/** The shell without windows takes 40 % less of the processor; what is drawn, and how fast, is asked of the whole browser. */
export const launchBrowser = (
  program: 'chromium' | 'chromium-headless-shell' = 'chromium-headless-shell',
): Promise<Browser> =>
  chromium.launch({
    executablePath: execFileSync('which', [program], { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });

let shared: Promise<Browser> | undefined;

/** One for all files of a worker: starting it takes longer than many a test. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (shared ??= launchBrowser());
  if (browser.isConnected()) return browser;
  shared = undefined;
  return sharedBrowser();
}

/** Nothing of a file is left for the next. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

export interface Looks {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
}

export const heightOf = (width: number): number => (width < 800 ? 844 : 900);

/** A browser of its own in which the owner of the session is signed in. */
export async function signedInContext(
  browser: Browser,
  { url, token }: { readonly url: string; readonly token: string },
  { width = 1440, theme = 'light' }: Looks = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: heightOf(width) },
    colorScheme: theme,
    reducedMotion: 'reduce', // or colours are seen on their way from one theme to the other
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.addCookies([
    {
      name: '__Host-rostrum-session',
      value: token,
      url: url.replace('http:', 'https:'),
      secure: true,
      httpOnly: true,
    },
  ]);
  return context;
}
