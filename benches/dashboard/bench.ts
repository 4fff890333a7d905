import { buildDashboard } from '../../src/main/dashboard.ts';
import { launchBrowser } from '../../tests/support/browser.ts';
import { dropDatabase, seedDatabase, type Population } from '../support/bench-database.ts';
import { tell, type Size } from '../support/command.ts';
import { atMost, told, within, type Figure } from '../support/figure.ts';
import { startServer } from '../support/server-process.ts';
import { keysInLongBody } from './long-body.ts';
import { longestTaskWhileTyping, nextPages, untilUsable } from './measures.ts';
import { sizes } from './sizes.ts';
import { newVisitor } from './visitor.ts';
import { shipped } from '../support/shipped.ts';

/** On a busy machine most turns suffer, and hardly all. */
const least = (values: readonly number[]): number => Math.min(...values);
const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const plans = {
  // A slow or shared processor says nothing about the page: what it slows by itself, the small run only tells by the clock.
  small: { people: 2_000, loads: 3, pages: 9, keys: 60, counts: least, byClock: told, keyProcessor: 60 },
  full: {
    people: 1_000_000,
    loads: 5,
    pages: 40,
    keys: 200,
    counts: middle,
    byClock: (name: string, ours: number, bar: number) => atMost(name, ours, bar, 1),
    keyProcessor: undefined,
  },
};
const bars = { usable: 2_800, nextPage: 250, longTask: 200, key: 50 };

/** What the dashboard may weigh and how long it may take, in a real browser. */
export async function dashboard(size: Size): Promise<Figure[]> {
  const { people, loads, pages, keys, counts, byClock, keyProcessor } = plans[size];
  await buildDashboard();
  const population: Population = {
    name: `rostrum_bench_dashboard_${size}`,
    measured: [{ people, properties: 5 }],
    others: { count: 0, people: 0, properties: 0 },
  };
  const { url: databaseUrl, orgs } = await seedDatabase(population);
  const server = await startServer([shipped, 'serve', 'api'], {
    DATABASE_URL: databaseUrl,
    ROSTRUM_SECRET: 'a secret for benches that guards nothing',
  });
  const browser = await launchBrowser('chromium');
  try {
    const visitor = await newVisitor(browser, server.url, { databaseUrl, org: orgs[0]!.id });
    tell('opening people, slowed down');
    const opened: number[] = [];
    for (let load = 0; load < loads; load++) opened.push(await untilUsable(visitor));
    tell(`turning pages of ${people} people`);
    const turned = (await nextPages(visitor, pages)).toSorted((a, b) => a - b);
    tell('typing, slowed down');
    const longest = await longestTaskWhileTyping(visitor);
    tell('typing in a body of 100 KB');
    const { drawn, processorMs } = await keysInLongBody(visitor, keys);
    const pressed = drawn.toSorted((a, b) => a - b);
    return [
      ...sizes(),
      byClock('people usable: ms', counts(opened), bars.usable),
      atMost(`next page of ${people} people: ms`, counts(turned), bars.nextPage, 1),
      told('  the slowest of them', turned.at(-1)!, bars.nextPage),
      atMost('longest task while typing: ms', longest, bars.longTask, 1),
      atMost('a key in a body of 100 KB, the middle one: ms', middle(pressed), bars.key, 1),
      byClock('  95th percentile of them: ms', pressed[Math.floor(keys * 0.95)]!, bars.key),
      told('  the slowest of them', pressed.at(-1)!, bars.key),
      within("a key there: ms of the page's processor time", processorMs, keyProcessor),
    ];
  } finally {
    await browser.close();
    await server.stop();
    if (size === 'small') await dropDatabase(population);
  }
}
