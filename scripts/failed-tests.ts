/** Names each failed test of a report again, with its reasons: the gate's last lines are what is read of it. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

const LINES_EACH = 12;

const report = JSON.parse(readFileSync(process.argv[2] ?? '.rostrum/test-results.json', 'utf8')) as Report;
for (const file of report.testResults) {
  const failed = file.assertionResults.filter(({ status }) => status === 'failed');
  for (const { fullName, failureMessages } of failed)
    tell(`${relative('.', file.name)}: ${fullName}`, failureMessages.join('\n'));
  // A file that could not be run at all has no failed test, only a message.
  if (failed.length === 0 && file.message) tell(relative('.', file.name), file.message);
}

function tell(what: string, why: string): void {
  console.log(`\n× ${what}\n${why.split('\n').slice(0, LINES_EACH).join('\n')}`);
}
