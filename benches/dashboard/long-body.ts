import type { Page } from 'playwright-core';
import type { Visitor } from './visitor.ts';

const paragraph =
  '<p>Words of a long letter, <strong>some bold</strong>, <em>some not</em>, and <a href="https://example.com/a">a link</a>.</p>';

export interface Keys {
  /** The milliseconds of each, from the press until it is drawn. Below 16 tells as 16. */
  readonly drawn: readonly number[];
  /** Milliseconds of the page's processor time for each. */
  readonly processorMs: number;
}

/** So many keys pressed in a body of 100 KB. */
export async function keysInLongBody({ address, open }: Visitor, keys: number): Promise<Keys> {
  const page = await open();
  await page.goto(`${address}/broadcasts`);
  const html = paragraph.repeat(Math.ceil(100_000 / paragraph.length));
  const made = await page.evaluate<{ broadcast: { id: string } }>(`fetch('/v1/broadcasts', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Auth-Type': 'session',
      'Rostrum-Organization': ${JSON.stringify(address.split('/').at(-1))},
    },
    body: ${JSON.stringify(JSON.stringify({ audience: 'everyone', subject: 'Long', html }))},
  }).then((answer) => answer.json())`);
  await page.goto(`${address}/broadcasts/${made.broadcast.id}`);
  await page.getByRole('textbox', { name: 'Email body' }).locator('p').nth(300).click();
  await page.evaluate(`window.keys = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') window.keys.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 })`);
  const worked = await workOf(page);
  const before = await worked();
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press('abcdefgh'[key % 8]!);
    await page.waitForTimeout(40);
  }
  await page.waitForTimeout(1_000);
  const after = await worked();
  const slow = await page.evaluate<number[]>('window.keys');
  await page.context().close();
  return {
    drawn: [...slow, ...Array.from<number>({ length: Math.max(0, keys - slow.length) }).fill(16)],
    processorMs: (after - before) / keys,
  };
}

/** Tells how many milliseconds of processor time the page has had. */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
  };
}
