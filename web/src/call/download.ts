import { readProblem, unreachable } from './problem.ts';

interface Target {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}
type Picker = (options: { readonly suggestedName: string }) => Promise<Target>;

/**
 * Saves an answer that is a file; false if nobody wanted it after all. Where the browser lets a page write to a file, it
 * goes there as it comes, however large; elsewhere it is whole before it is saved. One that breaks off is a problem, and
 * nothing is saved.
 */
export async function download(org: string, path: string, name: string): Promise<boolean> {
  const target = await pickTarget(name);
  if (target === 'given up') return false;
  const headers = { 'Auth-Type': 'session', 'Rostrum-Organization': org };
  const answer = await fetch(path, { headers }).catch(() => undefined);
  if (answer === undefined) throw unreachable();
  if (!answer.ok) throw await readProblem(answer);
  if (target === undefined) await saveWhole(answer, name);
  // What was written of a file that breaks off is thrown away with the stream.
  else
    await answer.body!.pipeTo(await target.createWritable()).catch(() => {
      throw unreachable();
    });
  return true;
}

/** Asked first of all: browsers let a page ask in the moment of a click alone. */
async function pickTarget(suggestedName: string): Promise<Target | 'given up' | undefined> {
  const { showSaveFilePicker } = globalThis as { showSaveFilePicker?: Picker };
  if (showSaveFilePicker === undefined) return undefined;
  try {
    return await showSaveFilePicker({ suggestedName });
  } catch (error) {
    return (error as Error).name === 'AbortError' ? 'given up' : undefined;
  }
}

async function saveWhole(answer: Response, name: string): Promise<void> {
  const file = await answer.blob().catch(() => undefined);
  if (file === undefined) throw unreachable();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
