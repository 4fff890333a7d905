/**
 * Holds the rule ledger against the last test run: which rules are proven, failing, waiting, missing.
 *
 *   npm run rules -- [--require PPL,IDN] [--json] [--ledger path] [--report path]
 *
 * Exit codes: 0 in order; 1 a required area is not whole, or ledger and tests contradict each other;
 * 2 the command could not do its work (no report, no ledger, wrong arguments).
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readLedger } from './rules/ledger.ts';
import { asJsonLines, asTable } from './rules/print.ts';
import { readResults } from './rules/results.ts';
import { type AreaTally, contradictions, isWhole, tally } from './rules/tally.ts';

class CannotRun extends Error {}

function main(args: string[]): number {
  const options = readOptions(args);
  if (!existsSync(options.ledger)) throw new CannotRun(`No ledger at ${options.ledger}.`);
  if (!existsSync(options.report)) {
    throw new CannotRun(`No test report at ${options.report}: run \`npm test\` first.`);
  }
  const ledger = readLedger(readFileSync(options.ledger, 'utf8'));
  const results = readReport(options.report);
  for (const area of options.require) {
    if (!ledger.areas.has(area)) throw new CannotRun(`The ledger has no area ${area}.`);
  }

  const tallies = tally(ledger, results);
  console.log(options.json ? asJsonLines(tallies) : asTable(tallies));

  const errors = contradictions(ledger, results);
  const required = tallies.filter((entry) => options.require.includes(entry.area));
  const unmet = required.filter((entry) => !isWhole(entry));
  const complaints = [...errors.map((error) => `error: ${error}`), ...unmet.map(whatIsLacking)];
  if (complaints.length > 0) console.error(`\n${complaints.join('\n')}`);
  return complaints.length > 0 ? 1 : 0;
}

function readOptions(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        require: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        ledger: { type: 'string', default: 'docs/reference/rules.md' },
        report: { type: 'string', default: '.rostrum/test-results.json' },
      },
    });
    const areas = values.require.flatMap((list) => list.split(',')).map((area) => area.trim());
    return { ...values, require: areas.filter((area) => area !== '') };
  } catch (error) {
    throw new CannotRun(error instanceof Error ? error.message : String(error));
  }
}

function readReport(path: string) {
  try {
    return readResults(readFileSync(path, 'utf8'));
  } catch {
    throw new CannotRun(`${path} is not a vitest JSON report: run \`npm test\` again.`);
  }
}

function whatIsLacking({ area, failing, missing }: AreaTally): string {
  const lacks = [
    failing.length > 0 ? `failing ${failing.join(', ')}` : '',
    missing.length > 0 ? `missing ${missing.join(', ')}` : '',
  ];
  return `${area} is required but not whole: ${lacks.filter((lack) => lack !== '').join('; ')}`;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CannotRun)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
