import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** A file of the dashboard as it is sent. */
export interface BuiltFile {
  readonly type: string;
  /** Few ask for what is also compressed: that is read each time, and not kept. */
  readonly plain: () => Buffer;
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

/** The built dashboard by the paths it is served under, or undefined where it was not built. */
export function readBuilt(folder: string): ReadonlyMap<string, BuiltFile> | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && Object.hasOwn(types, extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, readOne(file)]));
}

function readOne(file: string): BuiltFile {
  const type = types[extname(file)]!;
  const compressed = `${file}.br`;
  if (existsSync(compressed)) {
    return { type, plain: () => readFileSync(file), brotli: readFileSync(compressed) };
  }
  const plain = readFileSync(file);
  return { type, plain: () => plain, brotli: undefined };
}

interface Part {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/**
 * The page with links to the files of a section's screen, which the browser then fetches beside the frame and not after
 * it, by the section's name in the address. Other addresses get it without.
 */
export function readPages(folder: string, page: BuiltFile): (section: string | undefined) => BuiltFile {
  const parts = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Part>;
  const filesOf = (name: string, found = new Set<string>()): Set<string> => {
    const { file, imports = [], css = [] } = parts[name]!;
    for (const one of [...css, file]) found.add(one);
    for (const imported of imports) if (!found.has(parts[imported]!.file)) filesOf(imported, found);
    return found;
  };
  const html = page.plain().toString();
  const make = (section: string): BuiltFile => {
    const name = `src/${section}/${section}-page.tsx`;
    if (!Object.hasOwn(parts, name)) return page;
    const links = [...filesOf(name)].filter((file) => !html.includes(`/${file}"`)).map(linkTo);
    const plain = Buffer.from(html.replace('</head>', `${links.join('')}</head>`));
    return { ...page, plain: () => plain, brotli: brotliCompressSync(plain) };
  };
  const made = new Map<string, BuiltFile>();
  return (section = '') => {
    const known = made.get(section) ?? make(section);
    // Anybody may name any section: only those there are are kept.
    if (known !== page) made.set(section, known);
    return known;
  };
}

const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`;
