import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

// What Linux says of processes; of one that is gone, nothing.

const ticksPerSecond = 100; // as every Linux that Node runs on has it

export interface Memory {
  /** Now and at its most, in megabytes. */
  readonly now: number;
  readonly most: number;
}

export function memoryOf(pid: number): Memory {
  const status = read(`/proc/${pid}/status`);
  const megabytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

/** From here on, its most counts anew; where that is not allowed, it goes on counting from its start. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // not ours to change
  }
}

/** Seconds of processor time it has had. */
export function processorSeconds(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/** The processes of PostgreSQL that are there for one database; each says so in its title. */
export function backendsOf(database: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const title = read(`/proc/${pid}/cmdline`);
      return title.startsWith('postgres:') && title.split(/[\s\0]+/).includes(database);
    })
    .map(Number);
}

/** What several processes hold together, in megabytes; what they share is counted once. */
export const sharedMemoryOf = (pids: readonly number[]): number =>
  pids.reduce(
    (sum, pid) => sum + Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
    0,
  ) / 1024;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
