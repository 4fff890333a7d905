/**
 * Do the linters of OpenAPI have anything to say about our document? Asks redocly (redocly.yaml) and spectral
 * (.spectral.yaml), and fails on warnings too.
 *
 *   npm run openapi
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { operations } from '../src/catalogue/operations.ts';
import { describeOperations } from '../src/faces/openapi/describe-operations.ts';

const root = resolve(import.meta.dirname, '..');
const file = join(root, '.rostrum/openapi.json');
mkdirSync(join(root, '.rostrum'), { recursive: true });
writeFileSync(file, JSON.stringify(describeOperations(operations, 'https://rostrum.test'), undefined, 1));

const linters = [
  ['redocly', 'lint', file, '--max-problems=30'],
  ['spectral', 'lint', file, '--fail-severity=warn'],
] as const;

/** Neither is to ask a server for a newer version of itself, or to tell it anything. */
const env = {
  ...process.env,
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_TELEMETRY: 'off',
  SCARF_ANALYTICS: 'false',
};

for (const [name, ...args] of linters) {
  const ran = spawnSync(join(root, 'node_modules/.bin', name), args, { cwd: root, env, encoding: 'utf8' });
  const said = `${ran.stdout}${ran.stderr}`;
  const isClean = ran.status === 0 && !/\d+ warnings?\b/.test(said.replaceAll(/\b0 warnings?/g, ''));
  console.log(isClean ? `${name}: nothing to say` : said);
  if (!isClean) process.exitCode = 1;
}
