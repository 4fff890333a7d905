import { toFailure } from '../../../catalogue/problem.ts';
import { cancelImport } from '../../../domain/imports/record/cancel-import.ts';
import { discardFileRows } from '../../../domain/imports/mapping/import-file.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { ImportId } from '../../../kernel/ids.ts';
import type { CsvParts } from './csv-parts.ts';

/** Undoes what a file left before it failed, and returns the error to answer with. */
export type Undo = (error: unknown) => Promise<unknown>;

export const undoDraft = ({ perform, caller }: CsvParts, import_id: ImportId): Undo =>
  undoing(import_id, async () => {
    await perform(cancelImport, caller, { import_id });
  });

export const undoRows = ({ perform, caller }: CsvParts, import_id: ImportId): Undo =>
  undoing(import_id, async () => {
    await perform(discardFileRows, caller, { import_id });
  });

const undoing =
  (import_id: ImportId, takeBack: () => Promise<void>): Undo =>
  async (error) => {
    try {
      await takeBack();
      return error;
    } catch (second) {
      // Another call canceled the import: no rows are left.
      if (second instanceof Failure && second.code === 'not_found') return error;
      const { code, message, extras } = toFailure(error);
      return new Failure(
        code,
        `${message} Rows of the file are left in the import ${import_id}: cancel it.`,
        extras,
      );
    }
  };
