import { call } from '../call/call.ts';
import { Problem } from '../call/problem.ts';
import type { Mapping } from './open-imports.ts';

/** Rows that were checked against another mapping are let go of: all are sent again. */
export async function saveMapping(org: string, import_id: string, mapping: Mapping): Promise<void> {
  try {
    await call(org, 'set_import_mapping', { import_id, mapping });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'import_has_rows') throw error;
    await call(org, 'set_import_mapping', { import_id, mapping, discard_rows: true });
  }
}
