import { useState } from 'react';
import { download } from '../call/download.ts';
import { useOrg } from '../call/use-call.ts';
import type { Problem } from '../call/problem.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useToast } from './toast.tsx';

interface ExportButtonProps {
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly file: string;
  readonly unless?: string | false | undefined;
  readonly size?: 's';
  readonly children?: string;
}

/** A whole list as a file, not only this page. Leaving the page ends it. */
export function ExportButton({
  path,
  query = {},
  file,
  unless,
  size,
  children = 'Export',
}: ExportButtonProps) {
  const org = useOrg();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const toast = useToast();
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
  const begin = (): void => {
    setBusy(true);
    download(org, asked === '' ? path : `${path}?${asked}`, file)
      .then((isSaved) => isSaved && toast(`${file} is downloaded`), setProblem)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button
        icon="download"
        {...(size !== undefined && { size })}
        busy={isBusy && 'Exporting'}
        unless={unless}
        onClick={begin}
      >
        {children}
      </Button>
      <Dialog
        open={problem !== undefined}
        onClose={() => setProblem(undefined)}
        title="The export broke off"
        footer={
          <span className="row end">
            <Button onClick={() => setProblem(undefined)}>Close</Button>
          </span>
        }
      >
        <p>{problem?.message}</p>
        {problem !== undefined && problem.requestId !== '' && (
          <p className="hint mono request">{problem.requestId}</p>
        )}
      </Dialog>
    </>
  );
}
