import { setTimeout as pause } from 'node:timers/promises';
import { tell } from '../../benches/support/command.ts';
import { columns, mappingOf, type FileRow } from './import-file.ts';
import type { PatientCaller } from './workflow-caller.ts';

export interface GetImport {
  readonly id: string;
  readonly status: string;
  readonly total_rows: number;
  readonly rejected_rows: number;
  readonly processed_rows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly skipped: number;
  readonly pending: number;
  readonly people_created: number;
  readonly people_merged: number;
  readonly people_opted_out: number;
}

export interface ImportPlan {
  readonly file: readonly FileRow[];
  readonly merges: 'allow' | 'skip_rows';
  /** It is the first of its organization. */
  readonly isFirst: boolean;
}

/** What the preview said, to be held against what came of it. */
export interface Previewed {
  readonly people_to_create: number;
  readonly people_merged_away: number;
  readonly people_to_opt_out: number;
  readonly merging_rows: number;
}

const rowsACall = 500;

/** From the draft to a commit that was answered. Every call has a key, so that it may be made again. */
export async function commitFile(
  caller: PatientCaller,
  { file, merges, isFirst }: ImportPlan,
  name: string,
): Promise<{ id: string; previewed: Previewed }> {
  const { import_id: id } = await caller.call<{ import_id: string }>(
    'POST',
    '/v1/imports',
    { name, columns },
    `${name} create`,
  );
  await caller.call('PUT', `/v1/imports/${id}/mapping`, { mapping: mappingOf(isFirst) }, `${name} mapping`);
  for (let from = 0; from < file.length; from += rowsACall) {
    const rows = file.slice(from, from + rowsACall).map(({ cells }) => cells);
    await caller.call('POST', `/v1/imports/${id}/rows`, { rows }, `${name} ${from}`);
  }
  const previewed = await caller.call<Previewed & { commit_token: string }>(
    'POST',
    `/v1/imports/${id}/preview`,
    { merges },
  );
  await caller.call('POST', '/v1/imports/commit', { commit_token: previewed.commit_token }, `${name} commit`);
  tell(`${name}: ${file.length} rows are being committed`);
  return { id, previewed };
}

const isOver = ({ status }: GetImport): boolean => !['draft', 'mapped', 'committing'].includes(status);

/** Asks until it is over or patience has run out; either way, how it stands then. */
export async function untilOver(caller: PatientCaller, id: string, patience: number): Promise<GetImport> {
  const until = performance.now() + patience * 1000;
  for (;;) {
    const seen = await caller.call<GetImport>('GET', `/v1/imports/${id}?limit=1`);
    if (isOver(seen) || performance.now() > until) return seen;
    await pause(200);
  }
}
