import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const pages = ['*.md', 'docs/**/*.md', '.github/**/*.md'].flatMap((pattern) => globSync(pattern));

/** As the hosting platforms make them of headings. */
const anchorsOf = (page: string): string[] =>
  Array.from(readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link from a page of this repository to another leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    Array.from(readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g))
      .filter(([, path, anchor]) => {
        const file = path === '' ? page : join(dirname(page), path!);
        return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});
