import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs in the page: what a browser's own parser and URL reader find that must not be there, by place in the list. */
const judge = `
  const attributesOf = { a: ['href', 'title', 'class'], img: ['src', 'alt', 'width', 'height', 'title'] };
  for (const name of 'p h1 h2 h3 strong em ul ol li hr br'.split(' ')) attributesOf[name] = [];
  const wrongWith = (html) => {
    const layout = '<!doctype html><body><table><tbody><tr><td>' + html + '</td></tr></tbody></table><p>after</p>';
    const page = new DOMParser().parseFromString(layout, 'text/html');
    if ([...page.body.children].map((one) => one.localName).join() !== 'table,p') return 'it broke out of the layout';
    const cell = page.querySelector('td');
    const walker = page.createTreeWalker(cell, NodeFilter.SHOW_ALL);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeType === Node.TEXT_NODE) continue;
      const allowed = node.nodeType === Node.ELEMENT_NODE && Object.hasOwn(attributesOf, node.localName)
        && node.namespaceURI === 'http://www.w3.org/1999/xhtml' ? attributesOf[node.localName] : undefined;
      if (allowed === undefined) return 'a ' + node.nodeName;
      for (const { name } of node.attributes) if (!allowed.includes(name)) return 'the attribute ' + name;
      const address = node.localName === 'a' && node.hasAttribute('href') ? node.href
        : node.localName === 'img' ? node.src : undefined;
      if (address === undefined) continue;
      const protocols = node.localName === 'img' ? ['https:'] : ['https:', 'http:', 'mailto:', 'tel:'];
      const url = URL.parse(address);
      if (url === null || !protocols.includes(url.protocol) || url.username !== '') return 'the address ' + address;
    }
  };
  const found = bodies.map((html, at) => [at, wrongWith(html)]).filter(([, wrong]) => wrong !== undefined);
  document.body.textContent = 'judged ' + bodies.length + ' ' + JSON.stringify(found);
`;

export type Found = readonly (readonly [at: number, wrong: string])[];

/** Judges bodies by Chromium. Nothing in them runs or loads: they are parsed as documents apart. */
export async function judgeInBrowser(bodies: readonly string[]): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-browser-'));
  try {
    const list = JSON.stringify(bodies).replaceAll('<', String.raw`\u003c`);
    const page = `<!doctype html><meta charset="utf-8"><body><script>const bodies = ${list};${judge}</script>`;
    await writeFile(join(folder, 'page.html'), page);
    const { stdout } = await promisify(execFile)(
      'chromium-headless-shell',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        `--user-data-dir=${folder}/profile`,
        '--dump-dom',
        `file://${folder}/page.html`,
      ],
      { maxBuffer: 64 * 1024 * 1024, timeout: 120_000 },
    );
    const [, judged, found] = /judged (\d+) (.*)<\/body>/s.exec(stdout) ?? [];
    if (Number(judged) !== bodies.length)
      throw new Error(`Chromium judged ${judged} of ${bodies.length} bodies`);
    return JSON.parse(unescapeText(found ?? '')) as Found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const unescapeText = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&amp;', '&');
