import { expect, test } from 'vitest';
import { measured } from '../support/measured.ts';
import { isLong } from '../support/volume.ts';
import { choose, header, press } from './importing.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard({ engine: true });
const howMany = isLong ? 50_000 : 3_000;
const said = howMany.toLocaleString('en-GB');
const rows = Array.from(
  { length: howMany },
  (_, at) => `p${at}@example.com,Ana,+4477${String(at).padStart(8, '0')},Basic plan of the spring fair,yes`,
);
const file = Buffer.from([header, ...rows].join('\n'));

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** The longest task of a page, in milliseconds of processor time: what other tests take of it is not the page's. */
function longestIn(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const place = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(place),
  );
  const tasks = traceEvents.filter((one) => one.tdur !== undefined && pages.has(place(one)));
  expect(tasks.length).toBeGreaterThan(10); // or nothing was looked at
  return Math.max(...tasks.map(({ tdur }) => tdur!)) / 1_000;
}

test('a large file is read within a second, and the page answers all the while', measured, async () => {
  const page = await dashboard().visit(await dashboard().world.newOrg(), '/imports/new');
  await page.getByText('Drop a CSV file here').waitFor();
  // The browser takes the file itself, as from a disk: to hand it over from here would count as work of the page.
  await page.evaluate(`(() => {
    globalThis.list = new DataTransfer();
    const rows = Array.from({ length: ${howMany} }, (_, at) =>
      \`p\${at}@example.com,Ana,+4477\${String(at).padStart(8, '0')},Basic plan of the spring fair,yes\`);
    list.items.add(new File([${JSON.stringify(header)} + '\\n' + rows.join('\\n')], 'large.csv'));
  })()`);
  await page.waitForTimeout(500);
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel'] });
  const tookMs = await page.evaluate(`new Promise((done) => {
    const begun = performance.now();
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.map')) return;
      observer.disconnect();
      done(performance.now() - begun);
    }).observe(document.body, { childList: true, subtree: true });
    document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: list }));
  })`);
  const longest = longestIn(await browser.stopTracing());
  console.log(
    `${said} rows: read and drafted in ${Math.round(Number(tookMs))} ms, longest task ${longest} ms`,
  );
  expect(tookMs).toBeLessThan(1_000);
  expect(longest).toBeLessThanOrEqual(50);
});

test('rows go on where they were after a reload, while they are sent and while they are committed', async () => {
  const org = await dashboard().world.newOrg();
  const page = await dashboard().visit(org, '/imports/new');
  await choose(page, 'large.csv', file);
  await page.getByText(`${said} rows, 5 columns`).waitFor();
  let calls = 0;
  await page.route('**/v1/imports/*/rows', async (route) => {
    calls += 1;
    await (calls > 2 ? route.abort() : route.continue());
  });
  await press(page, `Check ${said} rows`);
  await expect.poll(() => calls).toBeGreaterThan(2);
  await page.unroute('**/v1/imports/*/rows');
  await page.reload();
  await page.getByText(/^[\d,]+ of [\d,]+ rows are sent\.$/).waitFor();
  const begun = Date.now();
  await choose(page, 'large.csv', file);
  await page.getByText('Every row fits').waitFor({ timeout: 300_000 });
  console.log(`the others were sent in ${Date.now() - begun} ms`);
  await page.getByRole('link', { name: `Preview ${said} rows` }).click();
  await press(page, `Import ${said} rows`);
  await page.getByText('You may leave this page; it goes on.').waitFor();
  await page.reload();
  await page.getByText(`of ${said} rows`).waitFor();
  await page.getByText('Adds up').waitFor();
  await page.getByText(`${said} done`).waitFor({ timeout: 300_000 });
  const { body } = await org.rest('GET /v1/people?limit=1');
  expect(body.total).toBe(howMany);
  expectNoTrouble();
});
