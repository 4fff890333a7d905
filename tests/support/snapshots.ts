import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is to be committed and reviewed, one file for each thing, by the file's name. */
export type Snapshots = ReadonlyMap<string, string>;

/** Whether a change was meant: then what is there now becomes the snapshot. */
export const isAccepted = process.env['UPDATE_SNAPSHOTS'] === '1';

export const readSnapshots = (folder: string): Snapshots =>
  new Map(
    (existsSync(folder) ? readdirSync(folder).toSorted() : []).map((file) => [
      file,
      readFileSync(join(folder, file), 'utf8'),
    ]),
  );

export function writeSnapshots(folder: string, snapshots: Snapshots): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [file, text] of snapshots) writeFileSync(join(folder, file), text);
}
