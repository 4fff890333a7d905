import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface FileTime {
  readonly file: string;
  readonly tests: number;
  /** Loading the file and what it imports. */
  readonly importMs: number;
  /** Its tests and hooks. */
  readonly runMs: number;
}

/** Writes how long each test file took, the longest first. */
export class FileTimes implements Reporter {
  readonly #path: string;
  readonly #times: FileTime[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration } = module.diagnostic();
    this.#times.push({
      file: module.relativeModuleId,
      tests: [...module.children.allTests()].length,
      importMs: Math.round(collectDuration),
      runMs: Math.round(duration),
    });
  }

  onTestRunEnd(): void {
    const times = this.#times.toSorted((a, b) => b.runMs - a.runMs);
    writeFileSync(this.#path, `${JSON.stringify(times, null, 1)}\n`);
  }
}
