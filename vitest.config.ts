import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { FileTimes } from './scripts/gate/file-times.ts';
import { factsPlugin } from './web/facts-plugin.ts';

// In memory a database is made in 30 ms of PostgreSQL's processor time, on a disk in 200.
const memory = '/dev/shm';
if (existsSync(memory)) process.env['TMPDIR'] = memory;

export default defineConfig({
  plugins: [factsPlugin()],
  test: {
    include: ['tests/**/*.test.ts', 'src/**/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    // So long that only what hangs is stopped by it, however slow the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A second, as it is otherwise, is nothing on a machine that is busy.
    expect: { poll: { timeout: 20_000, interval: 50 } },
    pool: 'forks',
    maxWorkers: 4,
    // A worker loads the service once for all its files: loading it for each took half of the time. So no test may
    // replace a module or leave a global changed.
    isolate: false,
    // Test names are sentences: `test.each` must not cut them short.
    taskTitleValueFormatTruncate: 0,
    // `npm run rules` and .ci/run read the JSON, `npm run gate:times` the times.
    reporters: ['default', 'json', new FileTimes('.rostrum/file-times.json')],
    outputFile: { json: '.rostrum/test-results.json' },
  },
});
