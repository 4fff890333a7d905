import type { Visitor } from './visitor.ts';

const paragraph =
  '<p>Words of a long letter, <strong>some bold</strong>, <em>some not</em>, and <a href="https://example.com/a">a link</a>.</p>';

/** The milliseconds of each of so many keys, from the press until it is drawn, in a body of 100 KB. Below 16 tells as 16. */
export async function keysInLongBody({ address, open }: Visitor, keys: number): Promise<number[]> {
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
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press('abcdefgh'[key % 8]!);
    await page.waitForTimeout(40);
  }
  await page.waitForTimeout(1_000);
  const slow = await page.evaluate<number[]>('window.keys');
  await page.context().close();
  return [...slow, ...Array.from<number>({ length: Math.max(0, keys - slow.length) }).fill(16)];
}
