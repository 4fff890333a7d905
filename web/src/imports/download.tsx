import { useState } from 'react';
import { call } from '../call/call.ts';
import type { Output } from '../call/types.ts';
import { useOrg } from '../call/use-call.ts';
import { Button } from '../ui/button.tsx';
import type { CsvFile } from './csv-file.ts';
import type { LeftOut } from './csv-worker.ts';
import type { Outcome } from './search.ts';

const mostAPage = 200;

/** Every row that was left out for a kind of reason. */
export async function allLeftOut(org: string, import_id: string, outcome: Outcome): Promise<LeftOut[]> {
  const all: LeftOut[] = [];
  for (let total = 1; all.length < total;) {
    const told = await call(org, 'get_import', { import_id, outcome, limit: mostAPage, offset: all.length });
    if (told.failed_rows.length === 0) break;
    all.push(...told.failed_rows);
    total = told.total;
  }
  return all;
}

interface DownloadProps {
  readonly file: CsvFile;
  readonly told: Output<'get_import'>;
  readonly outcome: Outcome;
  readonly label: string;
}

export function Download({ file, told, outcome, label }: DownloadProps) {
  const org = useOrg();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const blob = await file.save(await allLeftOut(org, told.id, outcome));
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = `${told.file_name.replace(/\.[a-z]+$/i, '')}-${outcome}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    } catch (error) {
      setProblem(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <span className="row">
      {problem !== undefined && (
        <span className="err" role="alert">
          {problem.message}
        </span>
      )}
      <Button size="s" icon="download" busy={isBusy && 'Gathering'} onClick={() => void save()}>
        {label}
      </Button>
    </span>
  );
}
