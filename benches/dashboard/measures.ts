import { slowDown, type Visitor } from './visitor.ts';

/** Milliseconds from nothing until rows of people are there and the page is free to answer. */
export async function untilUsable({ address, open }: Visitor): Promise<number> {
  const page = await open();
  await slowDown(page, { network: true });
  await page.addInitScript(`window.usable = new Promise((resolve) => {
    new MutationObserver((_, watching) => {
      if (document.querySelector('[data-row]') === null) return;
      watching.disconnect();
      requestIdleCallback(() => resolve(performance.now()));
    }).observe(document, { childList: true, subtree: true });
  })`);
  await page.goto(`${address}/people`, { waitUntil: 'commit' });
  const usableAt = await page.evaluate<number>('window.usable');
  await page.context().close();
  return usableAt;
}

/** Milliseconds from a press on "Next page" until the next rows are drawn, each of so many times. */
export async function nextPages({ address, open }: Visitor, times: number): Promise<number[]> {
  const page = await open();
  await page.goto(`${address}/people`);
  await page.locator('[data-row]').first().waitFor();
  const taken: number[] = [];
  for (let time = 0; time < times; time++) {
    taken.push(
      await page.evaluate<number>(`new Promise((resolve) => {
        const first = () => document.querySelector('[data-row]')?.dataset.row;
        const before = first();
        const began = performance.now();
        const look = () => {
          if (first() === before || document.querySelector('table[aria-busy=true]')) requestAnimationFrame(look);
          else resolve(performance.now() - began);
        };
        document.querySelector('[aria-label="Next page"]').click();
        look();
      })`),
    );
  }
  await page.context().close();
  return taken;
}

/** The longest task, in milliseconds, while somebody types in what narrows people down. Shorter than 50 tells as 0. */
export async function longestTaskWhileTyping({ address, open }: Visitor): Promise<number> {
  const page = await open();
  const watch = `window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: 'longtask' })`;
  const type = async (field: string, text: string): Promise<number> => {
    await page.locator(field).first().click();
    await page.evaluate(watch);
    await page.keyboard.type(text, { delay: 60 });
    await page.waitForTimeout(500);
    return page.evaluate<number>('window.longest');
  };
  await page.goto(`${address}/people`);
  await page.locator('[data-row]').first().waitFor();
  await slowDown(page, { network: false });
  const found = await type('[data-find]', 'person1234@example.com');
  await page.goto(`${address}/segments/new`);
  await page.getByLabel('Field of condition 1').selectOption('first_name');
  await page.getByLabel('Comparison of condition 1').selectOption('contains');
  const narrowed = await type('[aria-label="Value of condition 1"]', 'somebody with a long name');
  await page.context().close();
  return Math.max(found, narrowed);
}
