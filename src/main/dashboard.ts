import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where `npm run web` puts the dashboard. Without it everything else is served. */
export const builtDashboard = join(root, 'web/dist');

/** Builds the dashboard if it is not there, or older than what it is made of: its own sources and the catalogue's. */
export async function buildDashboard(): Promise<void> {
  const built = join(builtDashboard, 'index.html');
  const sources = [join(root, 'web/src'), join(root, 'src')];
  if (!existsSync(sources[0]!)) return;
  if (existsSync(built) && Math.max(...sources.map(newestIn)) <= statSync(built).mtimeMs) return;
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', 'web', '--logLevel', 'error'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' }, // that of tests would make every part of a screen twice
  });
}

const newestIn = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
