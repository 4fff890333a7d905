import { parseArgs } from 'node:util';
import { report, type Figure } from './figure.ts';

export type Size = 'small' | 'full';
export type Measured = (size: Size) => Promise<readonly Figure[]>;

/** `npm run bench -- NAME [--size small|full] [--json]`, and the same for faults: exit 1 when a bar does not hold. */
export async function runCommand(kind: string, known: Readonly<Record<string, Measured>>): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { size: { type: 'string', default: 'small' }, json: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [name = ''] = positionals;
  const measure = Object.hasOwn(known, name) ? known[name] : undefined;
  if (measure === undefined || (values.size !== 'small' && values.size !== 'full')) {
    process.stderr.write(`npm run ${kind} -- ${Object.keys(known).join('|')} [--size small|full] [--json]\n`);
    process.exitCode = 2;
    return;
  }
  const figures = await measure(values.size);
  if (!report(figures, values.json)) process.exitCode = 1;
}

/** Progress for people; standard output belongs to the figures. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);
