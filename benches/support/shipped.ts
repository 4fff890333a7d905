import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { release } from '../../src/durable/release.ts';

const bundler = new URL('../../scripts/bundle/bundle.ts', import.meta.url);

/**
 * The service as the container runs it: a bundle, which starts in half of the processor time (ADR 108). It is made once
 * for each state of the source and of what bundles it.
 */
export const shipped = await makeOnce(resolve('.rostrum/bundles'));

async function makeOnce(folder: string): Promise<string> {
  const made = join(folder, `${release()}-${hash('sha256', readFileSync(bundler)).slice(0, 8)}`);
  if (!existsSync(made)) {
    const { bundle } = await import('../../scripts/bundle/bundle.ts');
    const own = join(folder, `of-${process.pid}`);
    await bundle(own);
    try {
      renameSync(own, made);
    } catch (error) {
      rmSync(own, { recursive: true });
      if (!existsSync(made)) throw error; // else another process was quicker
    }
  }
  return join(made, 'rostrum.js');
}
