import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { release } from '../../src/durable/release.ts';

/**
 * The service as the container runs it: a bundle, which starts in half of the processor time (ADR 108). It is made once
 * for each state of the source.
 */
export const shipped = await makeOnce(resolve('.rostrum/bundles'));

async function makeOnce(folder: string): Promise<string> {
  const made = join(folder, release());
  if (!existsSync(made)) {
    const { bundle } = await import('../../scripts/bundle/bundle.ts');
    const own = join(folder, `of-${process.pid}`);
    await bundle(own);
    try {
      renameSync(own, made);
    } catch {
      rmSync(own, { recursive: true }); // another process was quicker
    }
  }
  return join(made, 'rostrum.js');
}
