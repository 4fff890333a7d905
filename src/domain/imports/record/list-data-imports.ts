import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { ImportId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { ImportStatus } from './import.ts';

const most = 500;

export const listDataImports = defineOperation({
  name: 'list_data_imports',
  title: 'List imports',
  summary: `Imports of the organization, newest first, at most ${most}: those made with tools and CSV files.`,
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/imports'], tool: true },
  input: z.strictObject({}),
  output: z.object({
    data_imports: z.array(
      z.object({
        id: ImportId,
        status: ImportStatus,
        file_name: z.string(),
        created_at: MomentOut,
        total_rows: z.int(),
        processed_rows: z.int().describe('Succeeded or failed.'),
      }),
    ),
  }),
  handle: async ({ db, org }) => {
    const rows = await db
      .selectFrom('imports')
      .select(['id', 'status', 'file_name', 'created_at', 'staged_rows', 'succeeded', 'failed'])
      .where('org_id', '=', org)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(most)
      .execute();
    return {
      data_imports: rows.map((row) => ({
        id: row.id as ImportId,
        status: row.status as ImportStatus,
        file_name: row.file_name,
        created_at: row.created_at.toISOString(),
        total_rows: row.staged_rows,
        processed_rows: row.succeeded + row.failed,
      })),
    };
  },
});
