import { useNavigate } from '@tanstack/react-router';
import { call } from '../call/call.ts';
import type { Output } from '../call/types.ts';
import { useOrg } from '../call/use-call.ts';
import { beginImport } from './begin-import.ts';
import type { CsvFile } from './csv-file.ts';
import { FileDrop } from './file-drop.tsx';
import { keepOpen, remembered, type Mapping } from './open-imports.ts';

interface ChooseAgainProps {
  readonly told: Output<'get_import'>;
  /** Begins again with the mapping there was, because what columns can become is told with a new draft only. */
  readonly toMap?: boolean;
}

/** The service keeps no cell that did not fit, and the page none past a reload: only the file has them. */
export function ChooseAgain({ told, toMap = false }: ChooseAgainProps) {
  const org = useOrg();
  const navigate = useNavigate();
  const { id, columns, mapping, committed_at } = told;
  const isSame = (file: CsvFile): boolean => {
    const known = remembered(id);
    if (known !== undefined) return known.digest === file.digest;
    return file.columns.join('\n') === columns.join('\n');
  };
  const take = async (file: CsvFile): Promise<void> => {
    if (!isSame(file)) {
      file.close();
      throw new Error(
        `This is another file. Choose the one this import was made of, or import it by itself.`,
      );
    }
    const isKnown = remembered(id) !== undefined || committed_at !== null;
    if (!toMap && (isKnown || file.count === told.total_rows + told.rejected_rows)) return keepOpen(id, file);
    const next = await beginImport(org, file, { former: (mapping ?? {}) as Mapping });
    await call(org, 'cancel_import', { import_id: id });
    await navigate({
      to: '/o/$org/imports/$import',
      params: { org, import: next },
      search: { step: 'map' },
      replace: true,
    });
  };
  return (
    <div className="mt6">
      <FileDrop
        title={`Choose ${told.file_name} again`}
        hint={
          toMap
            ? 'The columns are mapped with the file at hand. Nothing was written to people.'
            : 'The rows themselves are in the file only. With it they are shown, mended and downloaded.'
        }
        isBeside={!toMap}
        onFile={take}
      />
    </div>
  );
}
