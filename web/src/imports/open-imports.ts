import { useSyncExternalStore } from 'react';
import type { Output } from '../call/types.ts';
import type { CsvFile } from './csv-file.ts';

type Created = Output<'create_import'>;
export type Target = Created['targets'][number]['target'];
export type Mapping = Readonly<Record<string, Target>>;

/** What this page knows of an import beyond what the service keeps: its file, and how far it is sent. */
export interface OpenImport {
  readonly file: CsvFile;
  /** What the service said when it was made; a file that was chosen again has none. */
  readonly offer: Pick<Created, 'columns' | 'targets'> | undefined;
  readonly chosen: Mapping;
  /** Columns by whose samples the service was not to judge. */
  readonly unsampled: readonly string[];
  readonly sent: number;
  readonly isSending: boolean;
  readonly problem: Error | undefined;
}

const open = new Map<string, OpenImport>();
const listeners = new Set<() => void>();

export const openOf = (id: string): OpenImport | undefined => open.get(id);

export function changeOpen(id: string, changed: Partial<OpenImport>): void {
  const former = open.get(id);
  if (former === undefined) return;
  open.set(id, { ...former, ...changed });
  tell();
}

export function keepOpen(id: string, file: CsvFile, more: Partial<OpenImport> = {}): void {
  open.set(id, {
    file,
    offer: undefined,
    chosen: {},
    unsampled: [],
    sent: 0,
    isSending: false,
    problem: undefined,
    ...more,
  });
  tell();
}

/** Lets go of the rows too, unless another import is of the same file. */
export function closeOpen(id: string): void {
  const file = open.get(id)?.file;
  open.delete(id);
  if (![...open.values()].some((other) => other.file === file)) file?.close();
  forget(id);
  tell();
}

const tell = (): void => listeners.forEach((listener) => listener());

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useOpen = (id: string): OpenImport | undefined =>
  useSyncExternalStore(subscribe, () => open.get(id));

/** Which file an import is of, without a word of it: a reload forgets the file and keeps this. */
interface Remembered {
  readonly digest: string;
  readonly count: number;
}

const keyOf = (id: string): string => `rostrum-import ${id}`;

export const remember = (id: string, { digest, count }: CsvFile): void =>
  sessionStorage.setItem(keyOf(id), JSON.stringify({ digest, count } satisfies Remembered));

export function remembered(id: string): Remembered | undefined {
  const kept = sessionStorage.getItem(keyOf(id));
  return kept === null ? undefined : (JSON.parse(kept) as Remembered);
}

/** How many rows the file of an import has, as far as this page knows. */
export const countOf = (id: string, sent: number): number =>
  open.get(id)?.file.count ?? remembered(id)?.count ?? sent;

const forget = (id: string): void => sessionStorage.removeItem(keyOf(id));
