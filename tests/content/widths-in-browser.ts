import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How wide each page is laid out by Chromium in a window of a width: more than that, when it scrolls sideways. */
export async function widthsInBrowser(
  pages: readonly string[],
  windows: readonly number[],
): Promise<number[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-widths-'));
  try {
    const list = JSON.stringify(pages).replaceAll('<', String.raw`\u003c`);
    const script = `
      const measure = (html, width) => new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.style.cssText = 'border:0;height:5000px;width:' + width + 'px';
        frame.onload = () => resolve(frame.contentDocument.documentElement.scrollWidth);
        frame.srcdoc = html;
        document.body.append(frame);
      });
      const pages = ${list};
      const windows = ${JSON.stringify(windows)};
      Promise.all(pages.map((html) => Promise.all(windows.map((width) => measure(html, width))))).then((found) => {
        document.body.textContent = 'measured ' + JSON.stringify(found) + ' end';
      });`;
    await writeFile(join(folder, 'page.html'), `<!doctype html><body><script>${script}</script>`);
    const { stdout } = await promisify(execFile)(
      'chromium-headless-shell',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--virtual-time-budget=5000',
        `--user-data-dir=${folder}/profile`,
        '--dump-dom',
        `file://${folder}/page.html`,
      ],
      { timeout: 60_000 },
    );
    const [, found] = /measured (.*?) end/.exec(stdout) ?? [];
    if (found === undefined) throw new Error('Chromium measured nothing');
    return JSON.parse(found) as number[][];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
