import { readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface FileTime {
  readonly file: string;
  readonly tests: number;
  /** Loading the file and what it imports. */
  readonly importMs: number;
  /** Its tests and hooks. */
  readonly runMs: number;
  /** Which part of the processor time the host gave to others meanwhile. */
  readonly taken: number;
}

/** Writes how long each test file took, the longest first. */
export class FileTimes implements Reporter {
  readonly #path: string;
  readonly #starts = new Map<string, Processor>();
  readonly #times: FileTime[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  onTestModuleStart({ id }: TestModule): void {
    this.#starts.set(id, processor());
  }

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration } = module.diagnostic();
    this.#times.push({
      file: module.relativeModuleId,
      tests: [...module.children.allTests()].length,
      importMs: Math.round(collectDuration),
      runMs: Math.round(duration),
      taken: takenSince(this.#starts.get(module.id) ?? processor()),
    });
  }

  onTestRunEnd(): void {
    const times = this.#times.toSorted((a, b) => b.runMs - a.runMs);
    writeFileSync(this.#path, `${JSON.stringify(times, null, 1)}\n`);
  }
}

/** Time of all processors, and what of it went to other machines on the same host. */
interface Processor {
  readonly all: number;
  readonly taken: number;
}

/** Only Linux tells. */
function processor(): Processor {
  try {
    const times = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]!
      .trim()
      .split(/ +/)
      .slice(1, 9)
      .map(Number);
    return { all: times.reduce((sum, time) => sum + time, 0), taken: times[7] ?? 0 };
  } catch {
    return { all: 0, taken: 0 };
  }
}

function takenSince(start: Processor): number {
  const now = processor();
  return (now.taken - start.taken) / Math.max(1, now.all - start.all);
}
