import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Service } from '../send/service.ts';
import { backendsOf, forgetPeak, memoryOf, processorSeconds } from '../support/process-figures.ts';
import { RestClient } from '../support/rest-client.ts';
import { columns, mapping, toCells, type Listed } from './list.ts';

/** Milliseconds of each step, the most memory in megabytes, and processor seconds of the commit. */
export interface Taken {
  readonly append: number;
  readonly preview: number;
  readonly accept: number;
  /** From the answer of commit_import until the first part began. */
  readonly wait: number;
  readonly commit: number;
  readonly handlers: number;
  readonly api: number;
  readonly handlersBusy: number;
  readonly databaseBusy: number;
}

const rowsACall = 500;

/** The list through the whole service, from the draft to the last person. */
export async function importOurs(
  service: Service,
  {
    secret,
    rows,
    database,
  }: { readonly secret: string; readonly rows: pg.Client; readonly database: string },
  list: readonly Listed[],
): Promise<Taken> {
  const rest = new RestClient(service.url, secret);
  const post = async <T>(path: string, body: unknown): Promise<T> =>
    (await rest.call('POST', path, body)) as T;
  for (const pid of [service.pids.handlers, service.pids.api]) forgetPeak(pid);

  const { import_id } = await post<{ import_id: string }>('/v1/imports', { name: 'Bench', columns });
  await rest.call('PUT', `/v1/imports/${import_id}/mapping`, { mapping });
  const append = await timed(async () => {
    for (let from = 0; from < list.length; from += rowsACall) {
      const some = list.slice(from, from + rowsACall).map(toCells);
      const { rejected } = await post<{ rejected: number }>(`/v1/imports/${import_id}/rows`, { rows: some });
      if (rejected > 0) throw new Error(`${rejected} rows were rejected`);
    }
  });
  let token = '';
  const preview = await timed(async () => {
    const said = await post<{ commit_token: string | null; blocked: string | null }>(
      `/v1/imports/${import_id}/preview`,
      {},
    );
    if (said.commit_token === null) throw new Error(`the import is blocked: ${said.blocked}`);
    token = said.commit_token;
  });
  const accept = await timed(() => post('/v1/imports/commit', { commit_token: token }));
  const busy = () => ({
    handlers: processorSeconds(service.pids.handlers),
    database: backendsOf(database).reduce((sum, pid) => sum + processorSeconds(pid), 0),
  });
  const answered = Date.now();
  const before = busy();
  const commit = await timed(() => untilCompleted(rows, import_id));
  const after = busy();
  const { rows: first } = await rows.query<{ at: Date }>(
    `select min(at) as at from audit_log where request_id = $1 and operation = 'import_run'`,
    [import_id],
  );
  return {
    append,
    preview,
    accept,
    wait: Math.max(0, first[0]!.at.getTime() - answered),
    commit,
    handlers: memoryOf(service.pids.handlers).most,
    api: memoryOf(service.pids.api).most,
    handlersBusy: after.handlers - before.handlers,
    databaseBusy: after.database - before.database,
  };
}

async function untilCompleted(rows: pg.Client, id: string): Promise<void> {
  for (;;) {
    const { rows: found } = await rows.query<{ status: string }>('select status from imports where id = $1', [
      id,
    ]);
    const status = found[0]?.status;
    if (status === 'completed') return;
    if (status !== 'committing') throw new Error(`the import is ${status}`);
    await pause(10);
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
