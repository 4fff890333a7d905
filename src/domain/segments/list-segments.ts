import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';
import { warningsOf } from '../filters/read-filters.ts';
import { Segment, toSegment } from './segment.ts';
import { filtersOf } from '../filters/stored-segment.ts';
import { readUses } from './used-by.ts';

export const listSegments = defineOperation({
  name: 'list_segments',
  title: 'List segments',
  summary: 'The saved segments, newest first, the ones kept by the service among them.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/segments'], tool: true },
  input: z.strictObject({
    ...pageInput,
    limit: pageInput.limit.removeDefault().default(200).describe('How many to return.'),
  }),
  output: z.object({ segments: z.array(Segment), ...pageOutput }),
  handle: async (work, { limit, offset }) => {
    const ours = work.db.selectFrom('segments').where('org_id', '=', work.org);
    const { total } = await ours
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const page = ours.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset);
    mustFit(await page.select(sql<number>`octet_length(filters::text)`.as('bytes')).execute());
    const rows = await page.selectAll().execute();
    const warnings = await warningsOf(work, rows.map(filtersOf));
    const uses = await readUses(
      work,
      rows.map(({ id }) => id),
    );
    const segments = rows.map((row, index) => toSegment(row, warnings[index], uses.get(row.id)));
    return { segments, total, limit, offset };
  },
});

/** Filters may hold thousands of values. Ordinary segments have a few hundred bytes of them. */
const mostBytes = 2_000_000;

function mustFit(rows: readonly { readonly bytes: number }[]): void {
  let sum = 0;
  const fitting = rows.findIndex(({ bytes }) => (sum += bytes) > mostBytes);
  if (fitting === -1 || rows.length === 1) return;
  throw new Failure(
    'too_large',
    `These segments have too many filters for one answer. Ask for fewer at a time: limit ${Math.max(1, fitting)}.`,
  );
}
