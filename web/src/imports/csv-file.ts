import limits from 'virtual:imports';
import type { Answer, LeftOut, Opened, Requests } from './csv-worker.ts';

interface Waiting {
  readonly done: (output: never) => void;
  readonly failed: (error: Error) => void;
  readonly onProgress: ((part: number) => void) | undefined;
}

let worker: Worker | undefined;
let last = 0;
const waiting = new Map<number, Waiting>();

function start(): Worker {
  const started = new Worker(new URL('./csv-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const one = waiting.get(data.id);
    if ('progress' in data) return one?.onProgress?.(data.progress);
    waiting.delete(data.id);
    if ('done' in data) one?.done(data.done as never);
    else one?.failed(new Error(data.isExpected ? data.refused : unexpected));
  });
  started.addEventListener('error', () => {
    for (const { failed } of waiting.values()) failed(new Error(unexpected));
    waiting.clear();
    worker = undefined;
  });
  return started;
}

const unexpected =
  'The file could not be read. Choose it again; if that does not help, part it into smaller ones.';

const ask = <Kind extends keyof Requests>(
  kind: Kind,
  input: Requests[Kind]['input'],
  onProgress?: (part: number) => void,
): Promise<Requests[Kind]['output']> =>
  new Promise((done, failed) => {
    const id = ++last;
    waiting.set(id, { done, failed, onProgress });
    (worker ??= start()).postMessage({ id, kind, input });
  });

/** A file whose rows a worker holds. Nothing of it is stored: after a reload it must be chosen again. */
export class CsvFile {
  readonly name: string;
  readonly columns: readonly string[];
  readonly renamed: Readonly<Record<string, string>>;
  readonly count: number;
  /** Tells whether a file that is chosen again is the same. */
  readonly digest: string;
  readonly samples: readonly Readonly<Record<string, string>>[];
  readonly #key: number;

  private constructor(name: string, { key, columns, renamed, count, digest, samples }: Opened) {
    this.name = name;
    this.columns = columns;
    this.renamed = renamed;
    this.count = count;
    this.digest = digest;
    this.samples = samples;
    this.#key = key;
  }

  static async open(file: File, onProgress: (part: number) => void): Promise<CsvFile> {
    return new CsvFile(file.name, await ask('open', { file, limits }, onProgress));
  }

  /** The rows after `from`, as many as one call takes. */
  batch(from: number): Promise<Record<string, string>[]> {
    return ask('batch', { key: this.#key, from, most: limits.mostRowsACall });
  }

  rows(numbers: readonly number[]): Promise<string[][]> {
    return ask('rows', { key: this.#key, numbers });
  }

  put(number: number, cells: string[]): Promise<undefined> {
    return ask('put', { key: this.#key, number, cells });
  }

  async part(name: string, numbers: readonly number[]): Promise<CsvFile> {
    return new CsvFile(name, await ask('part', { key: this.#key, numbers }));
  }

  save(left: readonly LeftOut[]): Promise<Blob> {
    return ask('save', { key: this.#key, left });
  }

  close(): void {
    void ask('close', { key: this.#key });
  }
}
