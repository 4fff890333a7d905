import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inLine, newWorkflow, onRegistration, readWorkflow } from '../support/workflow.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

const nodeWidth = 232;
const wait = (id: string) => ({ id, type: 'wait', duration_minutes: 60 });

/** The canvas of a workflow of three waits, at rest. */
async function atCanvas() {
  const { visit, world } = dashboard();
  const org = await world.newOrg();
  const { id } = await newWorkflow(org, inLine(onRegistration(), wait('one'), wait('two'), wait('three')));
  const page = await visit(org, `/workflows/${id}`);
  const node = (name: string): Locator => page.locator(`[data-step="${name}"]`);
  await node('done').waitFor();
  return { org, id, page, node };
}

/** The middle of something on the screen. */
async function middleOf(it: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = (await it.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** React Flow knows where the canvas is, and the picture is drawn there. */
async function rested(page: Page): Promise<void> {
  const moved = (): Promise<string> =>
    page.evaluate(`document.querySelector('.react-flow__pane').style.transform`);
  await expect.poll(moved, { timeout: 10_000 }).toBe('');
}

const zoomOf = (page: Page): Promise<number> =>
  page.evaluate(
    `new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a`,
  );

test('the canvas goes where the mouse drags it, from a node too, which is not opened by that', async () => {
  const { page, node } = await atCanvas();
  const from = await middleOf(node('two'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let step = 1; step <= 8; step++) await page.mouse.move(from.x + 15 * step, from.y - 5 * step);
  const during = await middleOf(node('two'));
  await page.mouse.up();
  await rested(page);
  const to = await middleOf(node('two'));
  for (const { x, y } of [during, to]) {
    expect(x).toBeCloseTo(from.x + 120, 0);
    expect(y).toBeCloseTo(from.y - 40, 0);
  }
  expect(await node('two').getAttribute('aria-pressed')).toBe('false');
  await node('two').click();
  await expect.poll(() => node('two').getAttribute('aria-pressed')).toBe('true');
  expectNoTrouble();
});

test('the wheel stretches the canvas about the mouse, in bounds, and what is done next meets the node it points at', async () => {
  const { org, id, page, node } = await atCanvas();
  const { x, y } = await middleOf(node('two'));
  const before = await zoomOf(page);
  await page.mouse.move(x, y);
  for (let turn = 0; turn < 3; turn++) await page.mouse.wheel(0, 60);
  await expect.poll(() => zoomOf(page)).toBeCloseTo(before * 2 ** -0.36, 3);
  await rested(page);
  const after = await middleOf(node('two'));
  expect(after.x).toBeCloseTo(x, 0);
  expect(after.y).toBeCloseTo(y, 0);
  for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 200);
  await expect.poll(() => zoomOf(page)).toBeCloseTo(0.1, 5);
  await rested(page);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(0.5);

  // A way is drawn by hand, from the first wait to the last.
  await node('one').hover();
  const source = page
    .locator('.react-flow__node', { has: node('one') })
    .locator('.react-flow__handle.source');
  const [begin, { x: toX, y: toY, width }] = [await middleOf(source), (await node('three').boundingBox())!];
  await page.mouse.move(begin.x, begin.y);
  await page.mouse.down();
  await page.mouse.move(begin.x, begin.y + 40, { steps: 3 });
  await page.mouse.move(toX + width / 2, toY, { steps: 5 });
  await page.mouse.up();
  await expect
    .poll(
      async () =>
        (await readWorkflow(org, id)).graph.nodes.find((one: { id: string }) => one.id === 'one').next,
    )
    .toBe('three');
  expectNoTrouble();
});

test('on its way the canvas is a picture of the size it comes to, and at rest it is drawn there', async () => {
  const { page, node } = await atCanvas();
  const { x, y } = await middleOf(node('two'));
  for (const [steps, deltaY] of [
    [3, -60],
    [12, 100], // to less than half: drawn anew on the way
  ] as const) {
    const from = (await node('two').boundingBox())!;
    const during = await page.evaluate<{ x: number; y: number; width: number; moving: string }>(`(() => {
      const node = document.querySelector('[data-step="two"]');
      for (let step = 0; step < ${steps}; step++)
        node.dispatchEvent(new WheelEvent('wheel', { deltaY: ${deltaY}, clientX: ${x}, clientY: ${y}, bubbles: true, cancelable: true }));
      const { left, top, width, height } = node.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2, width, moving: node.closest('.graph').dataset.moving };
    })()`);
    expect(during.moving).toBe('zoom');
    expect(during.width).toBeCloseTo(from.width * 2 ** ((-deltaY * steps) / 500), 0);
    expect(during.x).toBeCloseTo(x, 0);
    expect(during.y).toBeCloseTo(y, 0);
    await rested(page);
    expect(await zoomOf(page)).toBeCloseTo(during.width / nodeWidth, 2);
    expect((await node('two').boundingBox())!.width).toBeCloseTo(during.width, 0);
  }
  expectNoTrouble();
});
