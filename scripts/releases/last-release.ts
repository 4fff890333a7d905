import { spawnSync } from 'node:child_process';

/** The tag of the last release before this commit. */
export function lastRelease(root: string): string | undefined {
  const args = ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
