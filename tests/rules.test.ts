// The titles here must not begin with a rule id: the command would take them for proofs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const command = join(root, 'scripts/rules.ts');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rules-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const ledger = (waiting = '- **AAA-003** waits for: the moon.') => `# Ledger

## Waiting

${waiting}

## AAA: Apples

- **AAA-001** (s1) An apple is red.
- **AAA-002** (s1.2) An apple is round.
- **AAA-003** (s2) An apple is on the moon. [hook]

- lines saying "see" are no rules: see AAA-001

## BBB: Pears

- **BBB-001** (s3) A pear is green.

## Counts
`;

type Outcome = [title: string, status: 'passed' | 'failed' | 'skipped'];

function run(outcomes: Outcome[] | 'no report', options: string[] = [], ledgerText = ledger()) {
  const paths = { ledger: join(folder, 'ledger.md'), report: join(folder, 'report.json') };
  writeFileSync(paths.ledger, ledgerText);
  rmSync(paths.report, { force: true });
  if (outcomes !== 'no report') {
    const assertionResults = outcomes.map(([title, status]) => ({
      title,
      status,
      fullName: `some group ${title}`,
    }));
    writeFileSync(paths.report, JSON.stringify({ testResults: [{ assertionResults }] }));
  }
  const args = [command, '--ledger', paths.ledger, '--report', paths.report, ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const areas = (stdout: string): unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

describe('the rules command', () => {
  test('counts rules by area, a title naming several rules proving each', () => {
    const { status, stdout } = run([['AAA-001 BBB-001 fruit has a colour', 'passed']], ['--json']);
    expect(status).toBe(0);
    expect(areas(stdout)).toEqual([
      {
        area: 'AAA',
        title: 'Apples',
        rules: 3,
        proven: 1,
        failing: [],
        waiting: [{ id: 'AAA-003', reason: 'the moon' }],
        missing: ['AAA-002'],
      },
      { area: 'BBB', title: 'Pears', rules: 1, proven: 1, failing: [], waiting: [], missing: [] },
    ]);
  });

  test('prints a table with the reasons of waiting rules and the missing ids', () => {
    const { stdout } = run([['BBB-001 a pear is green', 'passed']]);
    expect(stdout).toMatch(/^AAA +3 +0 +0 +1 +2 {2}Apples$/m);
    expect(stdout).toMatch(/^all +4 +1 +0 +1 +2$/m);
    expect(stdout).toContain('  AAA 003 for the moon');
    expect(stdout).toContain('  AAA 001-002');
  });

  test('fails when a required area is not whole, naming what is missing', () => {
    const outcomes: Outcome[] = [
      ['AAA-001 an apple is red', 'passed'],
      ['AAA-002 an apple is round', 'skipped'],
    ];
    const { status, stderr } = run(outcomes, ['--require', 'AAA,BBB']);
    expect(status).toBe(1);
    expect(stderr).toContain('AAA is required but not whole: missing AAA-002');
    expect(stderr).toContain('BBB is required but not whole: missing BBB-001');
  });

  test('takes an area for whole when every rule is proven or waits', () => {
    const outcomes: Outcome[] = [['AAA-001 AAA-002 an apple is red and round', 'passed']];
    expect(run(outcomes, ['--require', 'AAA'])).toMatchObject({ status: 0, stderr: '' });
  });

  test('lets one failing test undo the proof of a rule', () => {
    const outcomes: Outcome[] = [
      ['BBB-001 a pear is green', 'passed'],
      ['BBB-001 a pear is green at night', 'failed'],
    ];
    const { status, stdout, stderr } = run(outcomes, ['--json', '--require', 'BBB']);
    expect(status).toBe(1);
    expect(areas(stdout)[1]).toMatchObject({ proven: 0, failing: ['BBB-001'] });
    expect(stderr).toContain('failing BBB-001');
  });

  test('reads ids only at the beginning of a title', () => {
    const { stdout } = run([['a pear, see BBB-001, is green', 'passed']], ['--json']);
    expect(areas(stdout)[1]).toMatchObject({ proven: 0, missing: ['BBB-001'] });
  });

  test.each([
    ['a waiting line whose rule is proven', 'AAA-003 on the moon', 'AAA-003 is proven, yet'],
    ['a test naming an unknown rule', 'AAA-009 an apple flies', 'unknown rule AAA-009'],
    ['a range of rules in a title', 'AAA-001..AAA-002 an apple', 'cannot read "AAA-001..AAA-002"'],
  ])('calls %s an error', (_, title, message) => {
    const { status, stderr } = run([[title, 'passed']]);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  test.each([
    ['cannot be read', '- AAA-003 waits.', 'unreadable waiting line'],
    ['names no rule', '- **AAA-009** waits for: the moon.', 'AAA-009 is listed under Waiting'],
  ])('calls a waiting line that %s an error', (_, line, message) => {
    const { status, stderr } = run([], [], ledger(line));
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  test('asks for a test run when there is no report', () => {
    const { status, stderr } = run('no report');
    expect(status).toBe(2);
    expect(stderr).toContain('run `npm test` first');
  });

  test('refuses to require an area that the ledger lacks', () => {
    expect(run([], ['--require', 'CCC'])).toMatchObject({ status: 2 });
  });
});

test("the project's own ledger reads without errors and agrees with its table of counts", () => {
  const text = readFileSync(join(root, 'docs/reference/rules.md'), 'utf8');
  const { status, stdout, stderr } = run([], ['--json'], text);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const stated = [...text.matchAll(/^\| ([A-Z]{3}) +\| +(\d+) +\|$/gm)];
  expect(stated.length).toBeGreaterThan(0);
  expect(areas(stdout)).toMatchObject(stated.map(([, area, rules]) => ({ area, rules: Number(rules) })));
});
