import { parseArgs } from 'node:util';
import { report, type Figure } from './figure.ts';

export type Size = 'small' | 'full';

/** What only some take notice of. */
export interface Options {
  /** How long the longest part may take. */
  readonly minutes?: number;
  /** Only the part with so many people. */
  readonly people?: number;
}
export type Measured = (size: Size, options: Options) => Promise<readonly Figure[]>;

/** `npm run bench -- NAME [--size small|full] [--json]`, and the same for faults: exit 1 when a bar does not hold. */
export async function runCommand(kind: string, known: Readonly<Record<string, Measured>>): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      size: { type: 'string', default: 'small' },
      json: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      people: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [name = ''] = positionals;
  const measure = Object.hasOwn(known, name) ? known[name] : undefined;
  if (measure === undefined || (values.size !== 'small' && values.size !== 'full')) {
    process.stderr.write(`npm run ${kind} -- ${Object.keys(known).join('|')} [--size small|full] [--json]\n`);
    process.exitCode = 2;
    return;
  }
  const figures = await measure(values.size, {
    ...(values.minutes !== undefined && { minutes: Number(values.minutes) }),
    ...(values.people !== undefined && { people: Number(values.people) }),
  });
  if (!report(figures, values.json)) process.exitCode = 1;
}

/** Progress for people; standard output belongs to the figures. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);
