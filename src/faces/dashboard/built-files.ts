import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** A file of the dashboard as it is sent. */
export interface BuiltFile {
  readonly type: string;
  readonly plain: Buffer;
  /** The same, compressed when it was built. */
  readonly brotli: Buffer | undefined;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The built dashboard by the paths it is served under, or undefined where it was not built. All of it is small, and kept. */
export function readBuilt(folder: string): ReadonlyMap<string, BuiltFile> | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && Object.hasOwn(types, extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => {
      const compressed = `${file}.br`;
      return [
        `/${relative(folder, file).split(sep).join('/')}`,
        {
          type: types[extname(file)]!,
          plain: readFileSync(file),
          brotli: existsSync(compressed) ? readFileSync(compressed) : undefined,
        },
      ];
    }),
  );
}
