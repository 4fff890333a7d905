import { buildDashboard } from '../../src/main/dashboard.ts';
import { launchBrowser } from '../../tests/support/browser.ts';
import { newVisitor, slowDown } from '../dashboard/visitor.ts';
import { dropDatabase, seedDatabase, type Population } from '../support/bench-database.ts';
import { tell, type Size } from '../support/command.ts';
import { atLeast, told, type Figure } from '../support/figure.ts';
import { startServer } from '../support/server-process.ts';
import { framesWhile } from './frames.ts';
import { wideWorkflow } from './wide-workflow.ts';
import { shipped } from '../support/shipped.ts';

const nodes = 150;
const bar = 50; // frames a second

/** How smoothly a large workflow moves under the mouse, on a processor four times slower. */
export async function canvas(size: Size): Promise<Figure[]> {
  await buildDashboard();
  const population: Population = {
    name: `rostrum_bench_canvas_${size}`,
    measured: [{ people: 2_000, properties: 5 }],
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
    const page = await visitor.open();
    // The service takes no graph as large as this one, so the page is told that it did.
    const workflow = wideWorkflow(nodes);
    await page.route(`**/v1/workflows/${workflow.id}`, (route) => route.fulfill({ json: { workflow } }));
    await page.goto(`${visitor.address}/workflows/${workflow.id}`);
    await page.locator('[data-step]').nth(nodes).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.waitForTimeout(500);
    await slowDown(page, { network: false });
    tell(`dragging and zooming ${nodes} nodes, slowed down`);
    const box = (await page.locator('.graph').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const dragged = await framesWhile(page, async (turn) => {
      if (turn === 0) {
        await page.mouse.move(x, box.y + 8);
        await page.mouse.down();
      }
      await page.mouse.move(x + 200 * Math.sin(turn / 10), box.y + 8 + 100 * (1 - Math.cos(turn / 10)));
    });
    await page.mouse.up();
    await page.mouse.move(x, y);
    const zoomed = await framesWhile(page, (turn) => page.mouse.wheel(0, turn % 40 < 20 ? -60 : 60));
    // A small run is for machines that do other things too.
    const judged =
      size === 'full' ? atLeast : (name: string, ours: number, bare: number) => told(name, ours, bare);
    return [
      judged(`dragging ${nodes} nodes: frames a second`, dragged, bar, 1),
      judged(`zooming ${nodes} nodes: frames a second`, zoomed, bar, 1),
    ];
  } finally {
    await browser.close();
    await server.stop();
    await dropDatabase(population);
  }
}
