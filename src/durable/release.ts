import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** A bundle was told when it was made (scripts/bundle.ts): the source beside it may have changed since. */
declare const bundledRelease: string | undefined;
let known = typeof bundledRelease === 'undefined' ? undefined : bundledRelease;

/**
 * Which code this is: the version, and a hash of the source with the exact dependencies, so that a change without a new
 * version is another release, too. The engine reaches handlers under a path of their release (ADR 69).
 */
export function release(): string {
  if (known !== undefined) return known;
  const manifest = readFileSync(`${root}package.json`, 'utf8');
  const hash = createHash('sha256').update(manifest);
  for (const file of globSync('src/**/*.ts', { cwd: root }).toSorted())
    hash.update(`\n${file}\n`).update(readFileSync(root + file));
  known = `${(JSON.parse(manifest) as { version: string }).version}-${hash.digest('hex').slice(0, 8)}`;
  return known;
}
