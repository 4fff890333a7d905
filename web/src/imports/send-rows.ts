import { call } from '../call/call.ts';
import { Problem } from '../call/problem.ts';
import { changeOpen, openOf } from './open-imports.ts';

const mostTries = 4;
const passing = [0, 409, 429, 503];

const wait = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/**
 * Sends the rows that the service does not have yet, one call after another, also while other pages are looked at. How
 * many it has it is asked, also after a failure: a call whose answer was lost may have been done.
 */
export async function sendRows(org: string, import_id: string): Promise<void> {
  if (openOf(import_id)?.isSending !== false) return;
  changeOpen(import_id, { isSending: true, problem: undefined });
  for (let tries = 1; ; tries++) {
    try {
      await sendFrom(org, import_id, await countSent(org, import_id), () => {
        tries = 1;
      });
      return changeOpen(import_id, { isSending: false });
    } catch (error) {
      const isPassing = error instanceof Problem && passing.includes(error.status);
      if (!isPassing || tries === mostTries)
        return changeOpen(import_id, { isSending: false, problem: error as Error });
      await wait(1_000 * tries);
    }
  }
}

const countSent = async (org: string, import_id: string): Promise<number> => {
  const { total_rows, rejected_rows } = await call(org, 'get_import', { import_id, limit: 1 });
  return total_rows + rejected_rows;
};

async function sendFrom(org: string, import_id: string, from: number, onSent: () => void): Promise<void> {
  changeOpen(import_id, { sent: from });
  for (let sent = from; ;) {
    const file = openOf(import_id)?.file;
    if (file === undefined || sent >= file.count) return;
    const rows = await file.batch(sent);
    const { next_row } = await call(org, 'append_import_rows', { import_id, rows });
    sent = next_row - 1;
    changeOpen(import_id, { sent });
    onSent();
  }
}
