import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtDashboard } from '../../src/main/dashboard.ts';
import { atMost, type Figure } from '../support/figure.ts';

interface Part {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
}

const most = { frame: 190, page: 140 }; // KB of JavaScript, gzip

/** What the browser fetches of JavaScript before it shows anything, and what each page adds to it. */
export function sizes(): Figure[] {
  const parts = JSON.parse(readFileSync(join(builtDashboard, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Part
  >;
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    for (const imported of parts[name]!.imports ?? []) withImports(imported, found);
    return found;
  };
  const kilobytes = (names: Iterable<string>): number =>
    [...new Set([...names].map((name) => parts[name]!.file))]
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(builtDashboard, file))).length / 1_000, 0);
  const frame = new Set<string>();
  for (const [name, part] of Object.entries(parts)) if (part.isEntry === true) withImports(name, frame);
  return [
    atMost('the frame: KB of JavaScript', kilobytes(frame), most.frame, 1),
    ...Object.entries(parts)
      .filter(([, part]) => part.isDynamicEntry === true)
      .map(([name]) => {
        const added = [...withImports(name)].filter((one) => !frame.has(one));
        return atMost(`${name.replace(/^src\//, '')} adds: KB of JavaScript`, kilobytes(added), most.page, 1);
      }),
  ];
}
