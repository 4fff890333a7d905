import { execFile } from 'node:child_process';
import { chmod, mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A file system of its own, which can be full. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes whatever space there is, and goes on taking what becomes free. */
  readonly fillFor: (ms: number) => Promise<void>;
  readonly remove: () => Promise<void>;
}

const run = promisify(execFile);
const piece = Buffer.alloc(1 << 20);
const everyMs = 50;

/** Mounts one in memory, which takes root. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  await chmod(folder, 0o755);
  const ballast = join(folder, 'ballast');
  const fill = async (): Promise<void> => {
    const file = await open(ballast, 'a');
    try {
      for (let size = piece.length; size >= 4_096;) {
        const written = await file.write(piece, 0, size).catch(() => ({ bytesWritten: 0 }));
        if (written.bytesWritten < size) size >>= 1;
      }
    } finally {
      await file.close();
    }
  };
  return {
    folder,
    fillFor: async (ms) => {
      for (const until = performance.now() + ms; performance.now() < until; await pause(everyMs))
        await fill();
      await rm(ballast);
    },
    remove: async () => {
      await run('umount', ['--lazy', folder]);
      await rmdir(folder);
    },
  };
}
