import type { Page } from 'playwright-core';

const forMs = 3_000;

/** How many frames a second the page draws while something is done to it turn after turn. */
export async function framesWhile(page: Page, act: (turn: number) => Promise<void>): Promise<number> {
  await act(0);
  await page.evaluate(`window.frames_ = 0; window.began = performance.now();
    (function count() { window.frames_++; window.counting = requestAnimationFrame(count); })()`);
  const until = Date.now() + forMs;
  for (let turn = 1; Date.now() < until; turn++) await act(turn);
  return page.evaluate<number>(
    'cancelAnimationFrame(window.counting), (window.frames_ * 1000) / (performance.now() - window.began)',
  );
}
