import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { lastRelease } from '../../scripts/releases/last-release.ts';
import { startCommand } from '../blackbox/run-command.ts';

async function run(...args: string[]): Promise<{ code: number | null; said: string }> {
  const { code, stdout, stderr } = await startCommand(process.execPath, [
    'scripts/test-last-release.ts',
    ...args,
  ]).ended;
  return { code, said: stripVTControlCharacters(stdout + stderr) };
}

test('over a schema in which a column has another name, the tests of code that uses it fail, and only these', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-planted-'));
  const packed = join(folder, 'migrations.tar');
  // Those of the commit, not of the folder: what is being changed there has nothing to do with this.
  execFileSync('git', ['archive', '-o', packed, 'HEAD', 'src/database/migrations']);
  execFileSync('tar', ['-xf', packed, '-C', folder]);
  const migrations = join(folder, 'src/database/migrations');
  const rename = 'set local role rostrum_owner; alter table people rename column first_name to given_name;';
  writeFileSync(join(migrations, '9001-planted.sql'), rename);
  const { code, said } = await run(
    '--ref=HEAD',
    `--migrations=${migrations}`,
    'tests/faces/assistant-people.test.ts',
  );
  rmSync(folder, { recursive: true, force: true });
  expect(code).toBe(1);
  expect(said).toMatch(/✓ the server tells the three stories/);
  expect(said).toMatch(/FAIL .* the id of whoever a person was merged into/);
});

test.runIf(lastRelease('.') === undefined)('before the first release it says so', async () => {
  expect(await run()).toMatchObject({ code: 0, said: expect.stringContaining('nothing to compare with') });
});
