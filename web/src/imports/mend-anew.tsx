import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '../call/types.ts';
import { useOrg } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { beginImport } from './begin-import.ts';
import type { CsvFile } from './csv-file.ts';
import { allLeftOut } from './download.tsx';
import type { Mapping } from './open-imports.ts';
import type { Outcome } from './search.ts';

interface MendAnewProps {
  readonly file: CsvFile;
  readonly told: Output<'get_import'>;
  readonly outcome: Outcome;
}

/** A new import of the rows that were left out, mapped as they were: those at fault can be mended at its check. */
export function MendAnew({ file, told, outcome }: MendAnewProps) {
  const org = useOrg();
  const navigate = useNavigate();
  const whyNot = useWhyNot()('create_import');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const begin = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const left = await allLeftOut(org, told.id, outcome);
      const part = await file.part(
        `Mended rows of ${told.file_name}`,
        left.map(({ row }) => row),
      );
      // The rows are at fault, so they say nothing about the columns.
      const id = await beginImport(org, part, { former: formerOf(told), unsampled: part.columns });
      await navigate({ to: '/o/$org/imports/$import', params: { org, import: id }, search: { step: 'map' } });
    } catch (error) {
      setProblem(error as Error);
      setBusy(false);
    }
  };
  return (
    <>
      {problem !== undefined && (
        <span className="err" role="alert">
          {problem.message}
        </span>
      )}
      <Button
        size="s"
        icon="edit"
        unless={whyNot ?? (told.status === 'committing' && 'When all rows are dealt with.')}
        busy={isBusy && 'Gathering'}
        onClick={() => void begin()}
      >
        Mend in a new import
      </Button>
    </>
  );
}

/** What was to be made is there since the commit. */
const formerOf = ({ mapping }: Output<'get_import'>): Mapping =>
  Object.fromEntries(
    Object.entries(mapping ?? {}).map(([column, target]) => [
      column,
      typeof target !== 'string' && 'new_property' in target ? { property: target.new_property.key } : target,
    ]),
  );
