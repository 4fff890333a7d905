import { setTimeout as pause } from 'node:timers/promises';
import { tell } from '../../benches/support/command.ts';
import type { Course } from './broadcast-course.ts';
import type { GetImport } from './import-course.ts';
import { PatientRows } from './workflow-rows.ts';

export interface ImportWatch extends Course {
  readonly samples: number;
  /** Looks at the rows in which what is dealt with and what is staged are not together what was accepted. */
  readonly unbalanced: number;
  readonly answers: number;
  /** Answers of the API that do not add up, go back, or say anything but "not now". */
  readonly wrong: number;
  readonly stop: () => Promise<void>;
}

interface Sample {
  readonly id: string;
  readonly staged_rows: number;
  readonly dealt_with: number;
  readonly left: number;
}

interface Asked {
  readonly url: string;
  /** Which imports to ask for, and by which key; it grows. */
  readonly imports: ReadonlyMap<string, string>;
}

const everyMs = 250;

/** Looks all the time at how imports go, both at the rows and over the API. */
export function watchImports(databaseUrl: string, { url, imports }: Asked, wanted: number): ImportWatch {
  const seen = { samples: 0, unbalanced: 0, answers: 0, wrong: 0 };
  let progress = 0;
  let stopped = false;
  const last = new Map<string, GetImport>();

  const look = async (rows: PatientRows): Promise<void> => {
    const samples = await rows.query<Sample>(`
      select i.id, i.staged_rows::int, (i.succeeded + i.failed + i.skipped)::int as dealt_with,
        coalesce((select sum(case when p.first_row > i.done_row then json_array_length(p.rows) else (
            select count(*) from json_array_elements(p.rows) one where (one->>0)::bigint > i.done_row) end)
          from import_parts p where p.org_id = i.org_id and p.import_id = i.id), 0)::int as left
      from imports i`);
    seen.samples += 1;
    const off = samples.filter(({ staged_rows, dealt_with, left }) => dealt_with + left !== staged_rows);
    if (off.length > 0) {
      seen.unbalanced += 1;
      tell(`unbalanced: ${JSON.stringify(off[0])}`);
    }
    progress = samples.reduce((sum, { dealt_with }) => sum + dealt_with, 0) / wanted;
  };
  const ask = async (id: string, key: string): Promise<void> => {
    const headers = { authorization: key, 'auth-type': 'api' };
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`${url}/v1/imports/${id}?limit=1`, { headers, signal });
    const text = await response.text();
    if (response.status === 503) return;
    const now = response.ok ? (JSON.parse(text) as GetImport) : undefined;
    if (now !== undefined && addsUp(now) && isNotBefore(now, last.get(id))) seen.answers += 1;
    else {
      seen.wrong += 1;
      tell(`the API answered ${response.status}: ${text}`);
    }
    if (now !== undefined) last.set(id, now);
  };
  const looking = (async () => {
    const rows = new PatientRows(databaseUrl);
    for (; !stopped; await pause(everyMs)) await look(rows);
    await rows.close();
  })();
  const asking = (async () => {
    for (; !stopped; await pause(everyMs / 2))
      for (const [id, key] of imports) await ask(id, key).catch(() => undefined); // nobody there
  })();
  return Object.assign(seen, {
    progress: () => progress,
    over: () => stopped,
    stop: async () => {
      stopped = true;
      await Promise.all([looking, asking]);
    },
  });
}

const addsUp = ({ total_rows, succeeded, failed, skipped, pending, processed_rows }: GetImport): boolean =>
  succeeded + failed + skipped + pending === total_rows &&
  processed_rows === succeeded + failed &&
  pending >= 0;

const isNotBefore = (now: GetImport, before: GetImport | undefined): boolean =>
  before === undefined ||
  (['succeeded', 'failed', 'skipped', 'people_created', 'people_merged', 'people_opted_out'] as const).every(
    (field) => now[field] >= before[field],
  );
