import { execFileSync } from 'node:child_process';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });

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
